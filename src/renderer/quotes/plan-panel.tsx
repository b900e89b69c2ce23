import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Quote } from '../../contract/index.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { planSentence } from './plan-sentence.ts'
import { RunButton } from './run-button.tsx'
import type { LiveQuote } from './use-live-quote.ts'
import { useExpectedTime } from './use-expected-time.ts'

interface PlanPanelProps {
  readonly live: LiveQuote
  /** As typed; null for the suggested one. */
  readonly name: string | null
  /** Absent where the name is not asked for. */
  readonly onName?: (typed: string) => void
}

/** What would run, in one sentence, and the button that runs it; or what is missing for that. */
export function PlanPanel({ live, name, onName }: PlanPanelProps) {
  const { quote, missing, refused, error } = live
  const problems = [...Object.values(missing), ...Object.values(refused)]
  if (problems.length > 0)
    return (
      <ul className="quotes-missing" aria-label="Still needed">
        {problems.map(problem => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    )
  if (error) return <ErrorState error={error} title="This selection cannot be quoted" onRetry={live.retry} />
  if (!quote) return <LinesSkeleton lines={4} />
  return (
    <div className="stack" aria-busy={!live.current}>
      <PlanSentence quote={quote} />
      {quote.compatibility.status === 'compatible' ? (
        <RunButton key={quote.id} quote={quote} current={live.current} name={name} {...(onName ? { onName } : {})} />
      ) : (
        <div className="stack" style={{ gap: 4 }}>
          <StatusBadge status={{ word: 'Cannot run: see the failed checks', tone: 'fail' }} />
          {quote.compatibility.checks
            .filter(check => check.status === 'fail')
            .map(check => (
              <p key={`${check.check} ${check.profile_id ?? ''}`} className="quotes-error">
                {check.detail}
              </p>
            ))}
        </div>
      )}
      <Anchor component={Link} to={`/quotes/${quote.id}`} fz="xs">
        Full quote
      </Anchor>
    </div>
  )
}

function PlanSentence({ quote }: { readonly quote: Quote }) {
  const { time, known } = useExpectedTime(quote)
  return (
    <div>
      <p className="quotes-plan num" aria-live="polite">
        {known ? planSentence(quote, time) : '…'}
      </p>
      <p className="quotes-note">{time === null ? 'Speed is unknown until this model’s first run or check.' : `${time.basis}.`}</p>
    </div>
  )
}
