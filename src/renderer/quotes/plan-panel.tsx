import type { ReactNode } from 'react'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { NeededFields } from './needed-fields.tsx'
import { planSentence } from './plan-sentence.ts'
import { useExpectedTime } from './use-expected-time.ts'
import type { RequestedQuote } from './use-requested-quote.ts'

interface PlanPanelProps {
  readonly requested: RequestedQuote
  /** What must be chosen or mended before there can be a quote. */
  readonly problems: readonly string[]
  /** The button that starts it. */
  readonly action: (quote: Quote) => ReactNode
  /** Leads to more about the quote. */
  readonly more?: (quote: Quote) => ReactNode
}

/** What would run, in one sentence, and the button that runs it; or what is missing for that. */
export function PlanPanel({ requested: { quote, current, error, retry }, problems, action, more }: PlanPanelProps) {
  if (problems.length > 0) return <NeededFields problems={problems} />
  if (error) return <ErrorState error={error} title="This selection cannot be quoted" onRetry={retry} />
  if (!quote) return <LinesSkeleton lines={4} />
  return (
    <div className="stack" aria-busy={!current}>
      <PlanSentence quote={quote} />
      {quote.compatibility.status === 'compatible' ? action(quote) : <FailedChecks quote={quote} />}
      {more?.(quote)}
    </div>
  )
}

function FailedChecks({ quote: { compatibility } }: { readonly quote: Quote }) {
  return (
    <div className="stack" style={{ gap: 4 }}>
      <StatusBadge status={{ word: 'Cannot run: see the failed checks', tone: 'fail' }} />
      {compatibility.checks
        .filter(check => check.status === 'fail')
        .map(check => (
          <p key={`${check.check} ${check.profile_id ?? ''}`} className="quotes-error">
            {check.detail}
          </p>
        ))}
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
