import type { RunsChanged } from '../../contract/items/matching-runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { runsInWords } from './use-change-runs.ts'

/** Which of several runs stay as they are, and why. */
export function RefusedRuns({ outcome: { refused, refused_count: count } }: { readonly outcome: RunsChanged }) {
  return (
    <div>
      {count === 1 ? '1 run stays as it is:' : `${runsInWords(count)} stay as they are:`}
      <ul className="runs-refused">
        {refused.map(({ run_id: id, name, message }) => (
          <li key={id}>
            <strong>{showHidden(name)}</strong>: {showHidden(message)}
          </li>
        ))}
        {count > refused.length ? <li>and {formatCount(count - refused.length)} more</li> : null}
      </ul>
    </div>
  )
}
