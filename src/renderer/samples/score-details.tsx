import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { scoreClasses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { scoreText } from './samples-columns.tsx'

interface ScoreDetailsProps {
  readonly details: SampleDetail['score_details']
  readonly primaryId: string | undefined
}

/** What every metric made of the same output, side by side. */
export function ScoreDetails({ details, primaryId }: ScoreDetailsProps) {
  if (details.length === 0) return <p className="quiet samples-note">Not scored.</p>
  return (
    <ul className="samples-scores">
      {details.map(detail => (
        <li key={detail.metric}>
          <h3>
            {detail.title}
            {detail.metric === primaryId ? <span className="quiet"> (primary)</span> : null}
          </h3>
          <div className="row">
            <StatusBadge status={scoreClasses[detail.class]} />
            <span className="num">score {scoreText(detail.value)}</span>
            {detail.code === null ? null : <UntrustedText text={detail.code} layout="inline" />}
          </div>
          <div>
            <span className="quiet">Answer taken: </span>
            {detail.answer === null ? 'none' : <UntrustedText text={detail.answer} layout="prose" />}
          </div>
          <div>
            <UntrustedText text={detail.explanation} layout="prose" />
          </div>
          <div className="quiet">
            {detail.scorer} v{detail.scorer_version}
          </div>
        </li>
      ))}
    </ul>
  )
}
