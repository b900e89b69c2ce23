import type { Sample } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'

/** A box to tick in each row. Space on the list ticks the active row, so the boxes themselves are not stops of the Tab key. */
export function chosenColumn(chosen: ReadonlySet<string>, toggle: (id: string) => void): Column<Sample> {
  return {
    id: 'chosen',
    title: 'Selected',
    head: <span className="visually-hidden">Selected</span>,
    width: 36,
    cell: sample => (
      // A plain one: a list draws dozens of them in every frame of a scroll.
      <input
        type="checkbox"
        className="table-check"
        tabIndex={-1}
        aria-label={`Select sample ${formatCount(sample.position + 1)}`}
        checked={chosen.has(sample.id)}
        onChange={() => toggle(sample.id)}
      />
    ),
  }
}
