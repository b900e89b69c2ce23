import type { AnswerImport, RecordedFigure } from '../../contract/answers/answers.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type Row = RecordedFigure & { readonly index: number }

/** Rows of the table; a page is no place for the figures of a thousand subtasks. */
const shownFigures = 100

/** The widths hold all digits of a double: a number that breaks reads as two. */
const columns: readonly Column<Row>[] = [
  { id: 'task', title: 'Task', width: 130, grow: true, rowHeader: true, cell: row => <UntrustedText text={row.task} layout="prose" /> },
  { id: 'model', title: 'Model', width: 120, cell: row => <UntrustedText text={row.model} layout="prose" /> },
  { id: 'metric', title: 'Metric', width: 120, cell: row => <UntrustedText text={row.metric} layout="prose" /> },
  { id: 'value', title: 'Recorded value', width: 166, align: 'end', cell: row => String(row.value) },
  {
    id: 'error',
    title: 'Standard error',
    width: 184,
    align: 'end',
    cell: row => (row.standard_error === null ? 'unknown' : String(row.standard_error)),
  },
  { id: 'n', title: 'Samples', width: 84, align: 'end', cell: row => (row.n === null ? 'unknown' : formatCount(row.n)) },
]

/** Of results that hold no samples. */
export function RecordedFigures({ record: { figures = [] } }: { readonly record: Pick<AnswerImport, 'figures'> }) {
  if (figures.length === 0) return null
  return (
    <>
      <PlainTable
        label="Figures without samples, as recorded"
        columns={columns}
        rows={figures.slice(0, shownFigures).map((one, index) => ({ ...one, index }))}
        rowId={({ index }) => String(index)}
      />
      {figures.length > shownFigures ? (
        <span className="quiet small">
          The first {formatCount(shownFigures)} of {formatCount(figures.length)} figures
        </span>
      ) : null}
    </>
  )
}
