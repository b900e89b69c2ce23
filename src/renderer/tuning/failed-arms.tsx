import { useQuery } from '@tanstack/react-query'
import { allows } from '../../contract/machine.ts'
import type { TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { termsAgain } from './group-terms.ts'
import { quoteQuery, useQuote } from './tuning-groups.queries.ts'

interface FailedArmsProps {
  readonly session: TuneSession
  readonly group: TuneGroup
}

/** Which arms have too few scores, why, and the way to race them again. */
export function FailedArms({ session, group }: FailedArmsProps) {
  const failed = group.arms.filter(({ reason, missing }) => missing > 0 || reason === 'missing' || reason === 'cancelled')
  const isNewest = session.groups.at(-1)?.id === group.id
  return (
    <>
      <Notice
        tone={group.status === 'failed' ? 'fail' : 'warn'}
        title={group.status === 'failed' ? 'The group failed' : 'Some arms could not be decided'}
      >
        <ul className="tuning-list">
          {failed.map(({ label, detail, missing, run_status: status }) => (
            <li key={label}>
              <UntrustedText
                text={`${label}: ${formatCount(missing)} ${missing === 1 ? 'case' : 'cases'} without a score. ${detail ?? `Its run is ${status}.`}`}
                layout="prose"
              />
            </li>
          ))}
        </ul>
      </Notice>
      {isNewest && allows(tuneSessionMachine, session.status, 'quote') ? <RetryGroup session={session} group={group} /> : null}
    </>
  )
}

function RetryGroup({ session, group }: FailedArmsProps) {
  const earlier = useQuery(quoteQuery(session.id, group.quote_id))
  const quote = useQuote(session.id)
  const terms = earlier.data ? termsAgain(earlier.data, session.draft.call) : null
  const retry = () => {
    if (terms !== null && typeof terms !== 'string') quote.mutate(terms)
  }
  return (
    <>
      {quote.isError ? <FailureMessage title="Couldn’t quote the candidates" error={quote.error} /> : null}
      <div className="row">
        <ReasonedButton
          variant="default"
          loading={quote.isPending}
          blocked={terms === null ? 'The quote of this group is being loaded.' : typeof terms === 'string' ? terms : null}
          onClick={retry}
        >
          Quote the same candidates again
        </ReasonedButton>
      </div>
    </>
  )
}
