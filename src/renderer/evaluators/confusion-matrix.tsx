import type { Confusion } from '../../contract/evaluators/calibrations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { ItemFilter } from './evaluators.queries.ts'

interface ConfusionMatrixProps {
  readonly confusion: Confusion
  readonly chosen: ItemFilter
  /** A cell shows its examples below; the same cell again shows every disagreement. */
  readonly onChoose: (filter: ItemFilter) => void
}

export const allDisagreements: ItemFilter = { label: null, verdict: null, unscored: false }

/** Labels by verdicts. Each cell filters the examples below. */
export function ConfusionMatrix({ confusion, chosen, onChoose }: ConfusionMatrixProps) {
  const { labels, counts, unscored } = confusion
  const hasUnscored = unscored.some(count => count > 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll sideways must be reachable by keyboard
    <section style={{ overflowX: 'auto' }} tabIndex={0} aria-label="Confusion matrix">
      <table className="evaluators-matrix num">
        <caption className="visually-hidden">People’s labels by the evaluator’s verdicts</caption>
        <thead>
          <tr>
            <th scope="col">Label \ verdict</th>
            {labels.map(label => (
              <th key={label} scope="col">
                <UntrustedText text={label} layout="inline" />
              </th>
            ))}
            {hasUnscored ? <th scope="col">unscored</th> : null}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => (
            <tr key={label}>
              <th scope="row">
                <UntrustedText text={label} layout="inline" />
              </th>
              {labels.map((verdict, column) => (
                <Cell
                  key={verdict}
                  name={`Labeled ${label}, judged ${verdict}`}
                  count={counts[row]?.[column] ?? 0}
                  agrees={row === column}
                  filter={{ label, verdict, unscored: false }}
                  chosen={chosen}
                  onChoose={onChoose}
                />
              ))}
              {hasUnscored ? (
                <Cell
                  name={`Labeled ${label}, unscored`}
                  count={unscored[row] ?? 0}
                  agrees={false}
                  filter={{ label, verdict: null, unscored: true }}
                  chosen={chosen}
                  onChoose={onChoose}
                />
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellProps extends Pick<ConfusionMatrixProps, 'chosen' | 'onChoose'> {
  readonly name: string
  readonly count: number
  readonly agrees: boolean
  readonly filter: ItemFilter
}

function Cell({ name, count, agrees, filter, chosen, onChoose }: CellProps) {
  const isChosen = chosen.label === filter.label && chosen.verdict === filter.verdict && chosen.unscored === filter.unscored
  return (
    <td>
      <button
        type="button"
        className={`evaluators-cell ${agrees ? 'evaluators-agrees' : ''}`}
        aria-pressed={isChosen}
        aria-label={`${name}: ${count}`}
        onClick={() => onChoose(isChosen ? allDisagreements : filter)}
      >
        {formatCount(count)}
      </button>
    </td>
  )
}
