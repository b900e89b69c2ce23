import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { measuredName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'

const LONGEST = 200

export function suggestedName(quote: Quote): string {
  const { coverage } = quote
  const size = coverage.mode === 'sample' && !coverage.full_benchmark ? `, ${formatCount(quote.counts.tasks)} tasks` : ''
  return `${measuredName(quote)}${size}`.replaceAll(/\p{Cc}/gu, ' ').slice(0, LONGEST)
}
