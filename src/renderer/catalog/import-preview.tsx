import './imports.css'
import { Anchor } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { MediaThumb } from '../media/media-thumb.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { fileErrors, missingColumn } from './blocked-import.ts'
import { checksumWords } from './checksums.ts'
import { formatOptions } from './import-form.ts'
import { ERRORS_ID, ImportErrors, LeftOut } from './import-errors.tsx'
import { ImportProgress } from './import-progress.tsx'
import { JudgedAssertions } from './judged-assertions.tsx'
import type { ImportAttempt } from './imports.queries.ts'

type Row = ImportRecord['preview'][number]
type CheckedFile = ImportRecord['files'][number]

const rowColumns: readonly Column<Row>[] = [
  { id: 'line', title: 'Line', width: 56, align: 'end', cell: row => formatCount(row.line) },
  { id: 'task', title: 'Task id', width: 120, rowHeader: true, cell: row => <UntrustedText text={row.task_id} layout="prose" /> },
  { id: 'input', title: 'Question', width: 280, grow: true, cell: row => <UntrustedText text={row.input} layout="prose" /> },
  { id: 'targets', title: 'Reference answer', width: 150, cell: row => <Values values={row.targets} /> },
  { id: 'choices', title: 'Choices', width: 200, cell: row => (row.choices ? <Values values={row.choices} /> : '') },
]

/** The same with what each task shows. */
const rowColumnsWithMedia: readonly Column<Row>[] = rowColumns.flatMap(column =>
  column.id === 'input' ? [mediaColumn(), column] : [column],
)

function mediaColumn(): Column<Row> {
  return {
    id: 'media',
    title: 'Shows',
    width: 128,
    cell: row => (
      <div className="row">
        {row.media.map((part, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
          <MediaThumb key={i} part={part} size={64} alt={`${part.type} ${i + 1} of ${row.task_id}`} />
        ))}
      </div>
    ),
  }
}

const fileColumns: readonly Column<CheckedFile>[] = [
  { id: 'name', title: 'File', width: 220, grow: true, rowHeader: true, cell: file => <UntrustedText text={file.name} layout="inline" /> },
  { id: 'role', title: 'Role', width: 100, cell: file => file.role },
  { id: 'bytes', title: 'Size', width: 90, align: 'end', cell: file => formatBytes(file.bytes) },
  { id: 'sha256', title: 'SHA-256', width: 150, cell: file => <Identifier value={file.sha256} what="checksum" shown={10} /> },
  {
    id: 'checksum',
    title: 'Against upstream',
    width: 190,
    cell: file => (
      <StatusBadge status={{ word: checksumWords[file.checksum], tone: file.checksum === 'matches_upstream' ? 'pass' : 'neutral' }} />
    ),
  },
]

/** There is no upstream for a file of one's own. */
const ownFileColumns = fileColumns.filter(({ id }) => id !== 'checksum')

function Values({ values }: { readonly values: readonly string[] }) {
  const text = values.join(' | ')
  return (
    // Long choices would make one row as high as the window.
    <div className="import-values" title={text}>
      <UntrustedText text={text} layout="prose" />
    </div>
  )
}

/** What the service saw in the files: format, checksums, the first rows as they will be, and each line that is refused. */
export function ImportPreview({ attempt }: { readonly attempt: ImportAttempt }) {
  const { record, busy, error } = attempt
  if (!record && !busy && !error) return null
  return (
    <Section title="Preview" aside={record && !busy ? <ImportCounts record={record} /> : null}>
      {busy ? <ImportProgress attempt={attempt} /> : null}
      {error ? <ErrorState error={error} title="The files were refused" /> : null}
      {record ? (
        <>
          <PlainTable
            label="Files"
            columns={record.recipe === null ? ownFileColumns : fileColumns}
            rows={record.files}
            rowId={file => `${file.role} ${file.sha256}`}
          />
          {record.warnings.map(warning => (
            <div key={warning} className="row">
              <StatusBadge status={{ word: 'Note', tone: 'warn' }} />
              <UntrustedText text={warning} layout="prose" />
            </div>
          ))}
          <ImportErrors record={fileErrors(record)} id={ERRORS_ID} />
          <LeftOut record={record} />
          <JudgedAssertions judged={record.evaluators} />
          {record.preview.length > 0 ? (
            <PlainTable
              label="First rows"
              columns={record.media === null ? rowColumns : rowColumnsWithMedia}
              rows={record.preview}
              rowId={row => `${row.line} ${row.task_id}`}
            />
          ) : null}
        </>
      ) : null}
    </Section>
  )
}

/** Rows read, valid and refused. */
export function ImportCounts({ record, errorsBelow = false }: { readonly record: ImportRecord; readonly errorsBelow?: boolean }) {
  const { read, valid, invalid } = record.rows
  // Until its columns are chosen no row can be told valid or refused.
  const isMapped = missingColumn(record) === null
  return (
    <span className="row small num">
      {record.format ? <span className="quiet">{wordsOf(record.format)}</span> : null}
      <span>
        {formatCount(read)} {read === 1 ? 'row' : 'rows'} read
      </span>
      {isMapped ? <StatusBadge status={{ word: `${formatCount(valid)} valid`, tone: valid > 0 ? 'pass' : 'neutral' }} /> : null}
      {isMapped && invalid > 0 ? <StatusBadge status={{ word: `${formatCount(invalid)} refused`, tone: 'fail' }} /> : null}
      {record.media === null ? null : (
        <span className="quiet">
          {formatCount(record.media.files)} media {record.media.files === 1 ? 'file' : 'files'}, {formatBytes(record.media.bytes)}
        </span>
      )}
      {errorsBelow && fileErrors(record).error_count > 0 ? (
        <Anchor href={`#${ERRORS_ID}`} fz="inherit">
          Show errors
        </Anchor>
      ) : null}
    </span>
  )
}

function wordsOf(format: string): string {
  return formatOptions.find(({ value }) => value === format)?.label ?? format
}
