import type { RunProgress } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { outcomeParts } from './outcome-parts.ts'

interface OutcomeBarProps {
  readonly progress: RunProgress
  /** Names it for screen readers. */
  readonly label: string
  /** Without the words under the bar, where a count is shown beside it. */
  readonly bare?: boolean
}

/** How far a run is, by outcome: colors in the bar, the same with words and counts under it. */
export function OutcomeBar({ progress, label, bare = false }: OutcomeBarProps) {
  const parts = outcomeParts(progress)
  const { completed, frozen } = progress
  return (
    <div className="runs-outcomes">
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a progress element cannot show its parts */}
      <div
        className="runs-bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={frozen}
        aria-valuenow={completed}
        aria-valuetext={`${formatCount(completed)} of ${formatCount(frozen)} samples: ${parts.map(part => `${formatCount(part.count)} ${part.word}`).join(', ')}`}
      >
        {parts.map(part => (
          <span key={part.id} data-part={part.id} data-tone={part.tone} style={{ flexGrow: part.count }} />
        ))}
      </div>
      {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
      {bare ? null : (
        <div className="runs-legend small num" aria-hidden>
          {parts.map(part => (
            <span key={part.id}>
              <span className="runs-swatch" data-part={part.id} data-tone={part.tone} />
              {formatCount(part.count)} {part.word}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
