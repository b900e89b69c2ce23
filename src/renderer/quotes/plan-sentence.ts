import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { formatUsd, priceUnknown, priceUnknownWithin } from '../../lib/format/money.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import type { ExpectedTime } from './expected-time.ts'

/** `1,319 calls, about 12 s, $0.00, detects 5 points or more`: what a run takes and what it can tell. */
export function planSentence(quote: Quote, time: ExpectedTime | null): string {
  const calls = quote.counts.model_calls
  const price = describePrice(quote).replace(priceUnknown, priceUnknownWithin)
  return [`${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`, describeTime(time), price, detects(quote)].join(', ')
}

/** What is guessed from one short answer is not known to the millisecond. */
export function describeTime(time: ExpectedTime | null): string {
  if (time === null) return 'time unknown'
  return time.milliseconds < 1_000 ? 'under 1 s' : `about ${formatDuration(time.milliseconds)}`
}

/** Wallet and provider together; unknown as soon as one of them is. */
export function describePrice({ cost, model }: Quote): string {
  if (model.kind !== 'connection') return formatUsd(cost.estimated_charge_microusd)
  const billed = cost.provider_billed_estimate_microusd
  return billed === null ? priceUnknown : formatUsd((BigInt(billed) + BigInt(cost.estimated_charge_microusd)).toString())
}

/** Of several profiles, the one that can tell least. */
function detects({ statistics }: Quote): string {
  const differences = statistics.map(line => line.minimum_detectable_difference)
  const known = differences.filter(difference => difference !== null)
  if (known.length === 0 || known.length < differences.length) return 'too few tasks to detect a difference'
  return `detects ${formatNumber(Math.max(...known) * 100, 1)} points or more${known.length > 1 ? ' on each profile' : ''}`
}
