import { ApiError } from '../../contract/index.ts'
import { formatUsd } from '../../lib/format/money.ts'
import type { Database } from '../../storage/database.ts'
import { type Ceilings, meterOf, type Spending, spendingOf } from './keys.store.ts'

/** What a request can cost at most, in micro-USD. */
export interface Spend {
  readonly wallet: bigint
  /** What the provider of a connection can bill; null: the connection states no rates, so it is not known. */
  readonly provider: bigint | null
}

/**
 * Refuses what would take a key past one of its spending limits, in the caller's transaction and before any work. People have none.
 * @throws ApiError spend_ceiling_reached
 */
export function requireUnderCeilings(db: Database, principalId: string, spend: Spend): void {
  const meter = meterOf(db, principalId)
  if (meter === null) return
  const spending = spendingOf(db, meter.id)
  requireUnder('wallet', spend.wallet, meter.ceilings, spending)
  if (spend.provider !== null) return requireUnder('provider', spend.provider, meter.ceilings, spending)
  if (meter.ceilings.provider === null) return
  throw new ApiError(
    'spend_ceiling_reached',
    `The connection states no rates, so its provider's bill cannot be kept under the key's provider spending limit of ${formatUsd(String(meter.ceilings.provider))}. State the rates of the connection (0 where calls are free) and make a new quote.`,
  )
}

const limits = {
  wallet: { noun: 'spending limit', cost: 'The request could charge', remedy: 'Lower max_charge_microusd' },
  provider: {
    noun: 'provider spending limit',
    cost: 'The provider could bill',
    remedy: 'Lower execution.max_provider_billed_microusd',
  },
} as const

function requireUnder(
  purse: keyof Ceilings,
  amount: bigint,
  { [purse]: ceiling }: Ceilings,
  { [purse]: { spent, held } }: Readonly<Record<keyof Ceilings, Spending>>,
): void {
  if (ceiling === null || amount === 0n) return
  const left = ceiling - spent - held
  if (amount <= left) return
  const { noun, cost, remedy } = limits[purse]
  throw new ApiError(
    'spend_ceiling_reached',
    `${cost} up to ${formatUsd(String(amount))} and ${formatUsd(String(left > 0n ? left : 0n))} of the key’s ${noun} of ${formatUsd(String(ceiling))} is left. ${remedy}, or ask an owner to raise the limit.`,
  )
}
