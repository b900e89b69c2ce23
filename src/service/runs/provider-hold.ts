import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { holdFor } from '../../engine/clients/pricing/pricing.ts'

/** What providers of connections, judges among them, can bill at most for a whole run, in micro-USD. Null: unknown, because one states no rates. */
export function providerBound({ cost }: Pick<Quote, 'cost'>): bigint | null {
  return amountOf(cost.provider_billed_upper_bound_microusd)
}

/** Of that bound, what a cap leaves: set aside under the key's provider ceiling until the run ends. */
export function providerHold(cap: bigint | null, bound: bigint | null): bigint | null {
  return bound === null || cap === null ? bound : holdFor(cap, bound)
}

export function amountOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
