import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { type ErrorGroup, groupErrors } from '../../lib/format/group-errors.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Of the list of errors of a preview, for the link to it. */
export const ERRORS_ID = 'import-errors'

type Group = ErrorGroup<ImportRecord['errors'][number]>

const columns: readonly Column<Group>[] = [
  { id: 'lines', title: 'Lines', width: 120, align: 'end', cell: group => group.lines },
  {
    id: 'message',
    title: 'What is wrong',
    width: 320,
    grow: true,
    cell: ({ first }) => <UntrustedText text={first.message} layout="prose" />,
  },
  { id: 'count', title: 'Rows', width: 64, align: 'end', cell: group => formatCount(group.count) },
  { id: 'file', title: 'File', width: 160, cell: ({ first }) => <UntrustedText text={first.file} layout="prose" /> },
]

/** Each reason once per file. */
function Reasons({ label, errors }: { readonly label: string; readonly errors: ImportRecord['errors'] }) {
  const keyOf = ({ file, message }: ImportRecord['errors'][number]) => `${file}\n${message}`
  return <PlainTable label={label} columns={columns} rows={groupErrors(errors, keyOf)} rowId={({ first }) => keyOf(first)} />
}

/** Rows that are not imported, and why. */
export function LeftOut({ record }: { readonly record: ImportRecord }) {
  if (record.left_out_count === 0) return null
  const cut = record.left_out_count > record.left_out.length ? `, the first ${record.left_out.length} below` : ''
  return (
    <div className="stack">
      <StatusBadge
        status={{
          word: `${formatCount(record.left_out_count)} ${record.left_out_count === 1 ? 'row' : 'rows'} left out${cut}`,
          tone: 'warn',
        }}
      />
      <Reasons label="Left out" errors={record.left_out} />
    </div>
  )
}

interface ImportErrorsProps {
  readonly record: Pick<ImportRecord, 'errors' | 'error_count'>
  /** Where a link goes to it. */
  readonly id?: string
}

export function ImportErrors({ record, id }: ImportErrorsProps) {
  if (record.error_count === 0) return null
  return (
    <div className="stack" role="alert" id={id} tabIndex={id === undefined ? undefined : -1}>
      <StatusBadge
        status={{
          word: `${formatCount(record.error_count)} ${record.error_count === 1 ? 'error' : 'errors'}${record.error_count > record.errors.length ? `, the first ${record.errors.length} below` : ''}`,
          tone: 'fail',
        }}
      />
      <Reasons label="Errors" errors={record.errors} />
    </div>
  )
}
