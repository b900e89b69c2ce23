import type { Rates } from '../../contract/catalog/models.schemas.ts'
import type { ModelSnapshot } from '../../contract/quotes/quotes.schemas.ts'
import { isCharged, tokenRates } from '../../engine/clients/pricing/pricing.ts'

/** What work can cost at most, in micro-USD. */
export interface Spend {
  readonly wallet: bigint
  /** What the provider of a connection can bill; null: the connection states no rates, so it is not known. */
  readonly provider: bigint | null
}

export const nothingSpent: Spend = { wallet: 0n, provider: 0n }

export function sumOf(spends: readonly Spend[]): Spend {
  return spends.reduce(
    (sum, { wallet, provider }) => ({
      wallet: sum.wallet + wallet,
      provider: sum.provider === null || provider === null ? null : sum.provider + provider,
    }),
    nothingSpent,
  )
}

/** What calls of a model cost at least, where their number is not known yet: enough to tell a key that may spend nothing. */
export function leastSpend({ kind, rates }: { readonly kind: ModelSnapshot['kind']; readonly rates: Rates | null }): Spend {
  const least = isCharged(tokenRates(rates)) ? 1n : 0n
  if (kind === 'connection') return { wallet: 0n, provider: rates === null ? null : least }
  return { wallet: least, provider: 0n }
}
