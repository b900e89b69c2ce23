import './table.css'
import type { Column } from './column.ts'
import { RowCells } from './row-cells.tsx'

interface PlainTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
}

/** A short table inside a page: all rows, wrapping text, no sorting. For more than about fifty rows use `DataTable`. */
export function PlainTable<Row>({ label, columns, rows, rowId }: PlainTableProps<Row>) {
  const minWidth = columns.reduce((sum, column) => sum + column.width, 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll sideways must be reachable by keyboard
    <section className="table-plain-frame" tabIndex={0} aria-label={label}>
      <table className="table table-plain" style={{ minWidth }} aria-label={label}>
        <colgroup>
          {columns.map(column => (
            <col key={column.id} style={column.grow ? {} : { width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.id} scope="col" className={column.align === 'end' ? 'table-end' : ''}>
                {column.head ?? column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowId(row)}>
              <RowCells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
