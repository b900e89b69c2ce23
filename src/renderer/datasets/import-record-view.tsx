import type { DatasetImport } from '../../contract/datasets/dataset-imports.schemas.ts'
import { type ErrorGroup, groupErrors } from '../../lib/format/group-errors.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { fieldText, importStatuses, inputText, oneLine } from './dataset-words.ts'

type Row = DatasetImport['preview'][number]
type Group = ErrorGroup<DatasetImport['errors'][number]>

const columns: readonly Column<Row>[] = [
  { id: 'line', title: 'Line', width: 56, align: 'end', cell: row => formatCount(row.line) },
  { id: 'input', title: 'Input', width: 240, grow: true, rowHeader: true, cell: row => <Cut text={inputText(row.input)} /> },
  { id: 'output', title: 'Output', width: 180, cell: row => <Cut text={row.output === null ? '–' : fieldText(row.output)} /> },
  { id: 'expected', title: 'Expected', width: 120, cell: row => <Cut text={row.expected === null ? '–' : fieldText(row.expected)} /> },
  {
    id: 'labels',
    title: 'Labels',
    width: 150,
    cell: row => <Cut text={row.labels.map(({ annotator, value }) => `${annotator}: ${value}`).join(', ') || '–'} />,
  },
]

const errorColumns: readonly Column<Group>[] = [
  { id: 'lines', title: 'Lines', width: 120, align: 'end', cell: group => group.lines || '–' },
  {
    id: 'message',
    title: 'What is wrong',
    width: 320,
    grow: true,
    rowHeader: true,
    cell: ({ first }) => <UntrustedText text={first.message} layout="prose" />,
  },
  { id: 'count', title: 'Rows', width: 64, align: 'end', cell: group => formatCount(group.count) },
]

function Cut({ text }: { readonly text: string }) {
  return <UntrustedText text={oneLine(text)} layout="prose" />
}

/** What the service saw in a file: counts, the first examples as they will be, and why which lines cannot be used. */
export function ImportRecordView({ record }: { readonly record: DatasetImport }) {
  const { rows, errors, error_count: faults, preview } = record
  return (
    <>
      <div className="row num">
        <StatusBadge status={orCancelled(importStatuses[record.status], record.error)} />
        {formatCount(rows.read)} rows read, {formatCount(rows.valid)} valid
        {faults > 0 ? (
          <StatusBadge
            status={{
              word: `${formatCount(faults)} ${faults === 1 ? 'error' : 'errors'}${faults > errors.length ? `, the first ${errors.length} below` : ''}`,
              tone: 'fail',
            }}
          />
        ) : null}
      </div>
      {record.error ? <UntrustedText text={record.error.message} layout="prose" /> : null}
      {errors.length > 0 ? (
        <div role="alert">
          <PlainTable label="Errors" columns={errorColumns} rows={groupErrors(errors)} rowId={({ first }) => first.message} />
        </div>
      ) : null}
      {preview.length > 0 ? <PlainTable label="First examples" columns={columns} rows={preview} rowId={row => String(row.line)} /> : null}
    </>
  )
}
