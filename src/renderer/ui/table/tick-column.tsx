import type { Column } from './column.ts'

interface Ticks<Row> {
  /** Name of a row's box, safe to show: "Select sample 3". */
  readonly label: (row: Row) => string
  readonly isTicked: (row: Row) => boolean
  readonly onTick: (row: Row) => void
}

/** A box to tick in each row. Space on the list ticks the active row, so the boxes themselves are not stops of the Tab key. */
export function tickColumn<Row>({ label, isTicked, onTick }: Ticks<Row>): Column<Row> {
  return {
    id: 'chosen',
    title: 'Selected',
    head: <span className="visually-hidden">Selected</span>,
    width: 36,
    cell: row => (
      // A plain one: a list draws dozens of them in every frame of a scroll.
      <input
        type="checkbox"
        className="table-check"
        tabIndex={-1}
        aria-label={label(row)}
        checked={isTicked(row)}
        onChange={() => onTick(row)}
      />
    ),
  }
}
