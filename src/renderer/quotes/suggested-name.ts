import type { Quote } from '../../contract/index.ts'
import { measuredName } from '../../lib/format/benchmark-names.ts'

const LONGEST = 200

export function suggestedName(quote: Quote): string {
  const { coverage } = quote
  const size = coverage.mode === 'sample' && !coverage.full_benchmark ? `, ${coverage.sample_count} tasks` : ''
  return `${measuredName(quote)}${size}`.replaceAll(/\p{Cc}/gu, ' ').slice(0, LONGEST)
}
