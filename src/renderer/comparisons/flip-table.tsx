import type { Difference, TaskChange } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { Contender } from './use-contender.ts'

interface FlipTableProps {
  readonly difference: Difference
  readonly contender: Contender
  readonly change: TaskChange | undefined
  readonly onChange: (change: TaskChange | null) => void
}

/** Who was correct on what, as two by two; each cell filters the tasks below. Scores between 0 and 1 have no such table. */
export function FlipTable({ difference, contender: { baseline, chosen }, change, onChange }: FlipTableProps) {
  const { passes, n } = difference
  const cell = (value: TaskChange, count: number, words: string) => (
    <button
      type="button"
      className="compare-flip"
      aria-pressed={change === value}
      onClick={() => onChange(change === value ? null : value)}
    >
      <strong>{formatCount(count)}</strong>
      <span>
        {words}
        <span className="quiet num"> {formatPercent(n === 0 ? null : count / n)}</span>
      </span>
    </button>
  )
  if (passes === null) {
    return (
      <div className="row">
        {cell('gained', difference.wins, 'scored higher')}
        {cell('lost', difference.losses, 'scored lower')}
        <span className="num">{formatCount(difference.ties)} the same</span>
      </div>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll sideways must be reachable by keyboard
    <section tabIndex={0} aria-label="Flips" style={{ overflowX: 'auto' }}>
      <table className="compare-flips">
        <caption className="visually-hidden">Tasks by who was correct. A cell filters the list of tasks.</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Baseline</span>
            </th>
            <th scope="col">
              <UntrustedText text={chosen.label} layout="prose" />: correct
            </th>
            <th scope="col">not correct</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              <UntrustedText text={baseline.label} layout="prose" />: correct
            </th>
            <td>{cell('both_passed', passes.both, 'both correct')}</td>
            <td>{cell('lost', passes.only_baseline, 'lost')}</td>
          </tr>
          <tr>
            <th scope="row">not correct</th>
            <td>{cell('gained', passes.only_contender, 'gained')}</td>
            <td>{cell('both_failed', passes.neither, 'neither correct')}</td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}
