import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { formatLocalTime } from '../ui/values/local-time.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'

const soonMs = 2 * 60_000

/** How long the quote can still be submitted, counting down. */
export function QuoteExpiry({ quote, now }: { readonly quote: Quote; readonly now: number }) {
  const left = quote.status === 'expired' ? 0 : Date.parse(quote.expires_at) - now
  const exact = `Expires ${formatLocalTime(quote.expires_at)}`
  if (left <= 0) return <StatusBadge status={{ word: 'Expired', tone: 'warn' }} title={exact} />
  if (quote.compatibility.status === 'incompatible') return <StatusBadge status={{ word: 'Incompatible', tone: 'fail' }} />
  const seconds = Math.ceil(left / 1000)
  return (
    <span className="num" role="timer">
      <StatusBadge
        status={{ word: `Open for ${formatDuration(seconds * 1000)}`, tone: left < soonMs ? 'warn' : 'neutral' }}
        title={exact}
      />
    </span>
  )
}
