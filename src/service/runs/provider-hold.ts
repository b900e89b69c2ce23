import type { Quote } from '../../contract/index.ts'
import { holdFor } from '../../engine/clients/pricing/pricing.ts'

/** What the provider of a connection can bill at most for a whole run, in micro-USD. Null: unknown, because the connection states no rates. */
export function providerBound({ model, cost }: Pick<Quote, 'model' | 'cost'>): bigint | null {
  return model.kind === 'managed' ? 0n : amountOf(cost.provider_billed_upper_bound_microusd)
}

/** Of that bound, what a cap leaves: set aside under the key's provider ceiling until the run ends. */
export function providerHold(cap: bigint | null, bound: bigint | null): bigint | null {
  return bound === null || cap === null ? bound : holdFor(cap, bound)
}

export function amountOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
