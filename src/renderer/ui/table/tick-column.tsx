import type { Column } from './column.ts'

interface Ticks<Row> {
  /** Name of a row's box, safe to show: "Select sample 3". */
  readonly label: (row: Row) => string
  readonly isTicked: (row: Row) => boolean
  readonly onTick: (row: Row) => void
  /** Rows without a box are not. Every row by default. */
  readonly isOffered?: (row: Row) => boolean
}

/** A box to tick in each row. Space on the list ticks the active row, so the boxes themselves are not stops of the Tab key. */
export function tickColumn<Row>({ label, isTicked, onTick, isOffered }: Ticks<Row>): Column<Row> {
  return {
    id: 'chosen',
    title: 'Selected',
    head: <span className="visually-hidden">Selected</span>,
    width: 36,
    cell: row =>
      isOffered && !isOffered(row) ? null : (
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

interface SelectAllProps {
  /** What the rows are called: "runs". */
  readonly what: string
  /** Ids of the rows that are loaded. */
  readonly listed: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[]) => void
}

/** Ticks every loaded row, or none where all are ticked. */
export function SelectAll({ what, listed, chosen, onChoose }: SelectAllProps) {
  const count = listed.filter(id => chosen.has(id)).length
  const all = listed.length > 0 && count === listed.length
  return (
    <input
      type="checkbox"
      className="table-check"
      aria-label={`Select all listed ${what}`}
      disabled={listed.length === 0}
      checked={all}
      ref={box => {
        if (box) box.indeterminate = count > 0 && !all
      }}
      onChange={() => onChoose(all ? [] : listed)}
    />
  )
}
