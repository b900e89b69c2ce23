import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { FailedRegrade } from './failed-regrade.tsx'
import { offersRetry, presentStatus, whyStopped, withoutScore } from './follow-up.ts'
import { PartNotice } from './part-notice.tsx'
import { PartsTable } from './parts-table.tsx'
import { RaiseCap } from './raise-cap.tsx'
import { RegradeProgress } from './regrade-progress.tsx'
import { RetryFailed } from './retry-failed.tsx'

/** Why a run ended as it did, what can still be done about it, and what was done since. */
export function RunFollowUp({ run }: { readonly run: Run }) {
  const { part_of: whole } = run
  const reason = whyStopped(run)
  const kind = reason === null ? null : failureLabel(reason.code)
  const unscored = withoutScore(run)
  return (
    <>
      {whole === null ? null : <PartNotice run={run} whole={whole} />}
      {reason ? (
        <p className="runs-reason">
          <UntrustedText text={reason.message} layout="prose" />{' '}
          {kind === presentStatus(run).word || reason.code === 'samples_failed' ? null : <span className="quiet">{kind}</span>}
        </p>
      ) : null}
      {offersRetry(run) ? (
        <div className="row">
          {/* The reason counts them already. */}
          {reason?.code === 'samples_failed' ? null : (
            <span className="num">{unscored === 1 ? 'One sample has' : `${formatCount(unscored)} samples have`} no score.</span>
          )}
          <RetryFailed run={run} samples={unscored} />
          {reason?.code === 'cap_reached' ? <RaiseCap run={run} /> : null}
        </div>
      ) : null}
      {run.regrade ? <RegradeProgress regrade={run.regrade} /> : null}
      <FailedRegrade key={run.id} run={run} />
      <PartsTable run={run} />
    </>
  )
}
