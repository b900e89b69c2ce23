import type { Recommendation } from '../../contract/recommendations/recommendations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { IconAlertTriangle } from '../ui/pictures/icons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** What the tasks do not tell of, and what would fit and was left out, with the reason for each. */
export function RecommendationGaps({ answer: { uncovered_capabilities: uncovered, exclusions } }: { readonly answer: Recommendation }) {
  return (
    <>
      {uncovered.length > 0 ? (
        <ul className="suites-uncovered" aria-label="Not covered">
          {uncovered.map(({ capability, reason }) => (
            <li key={capability}>
              <IconAlertTriangle size={16} aria-hidden />
              <span>
                Not covered: <UntrustedText text={`${capability}. ${reason}`} layout="prose" />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {exclusions.length > 0 ? (
        <details>
          <summary>
            {formatCount(exclusions.length)} {exclusions.length === 1 ? 'thing that fits was' : 'things that fit were'} left out
          </summary>
          <dl className="small suites-left-out">
            {exclusions.map(({ subject, reason }) => (
              <div key={subject}>
                <dt className="mono">
                  <UntrustedText text={subject} layout="prose" />
                </dt>
                <dd>
                  <UntrustedText text={reason} layout="prose" />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </>
  )
}
