import { ApiError } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import { formatUsd } from '../../lib/format/money.ts'
import type { Database } from '../../storage/database.ts'
import { type Ceilings, meterOf, type Spending, spendingOf } from '../keys/index.ts'
import { requireEntitled } from './entitlement.ts'
import type { Spend } from './spend.ts'

/** Work that can cause calls of models, judges, scorers or agents. */
export interface Work {
  readonly workspaceId: string
  /** Of the area that it belongs to. */
  readonly scope: Scope
  readonly spend: Spend
  /** Whose limits count the calls: a session, person, key or `nobody`; absent: whoever starts the work. */
  readonly payerId?: string
  /** What it can cost is set aside already, so the payer's limits count it. */
  readonly isHeld?: boolean
}

/** As a payer: the calls are counted nowhere, such as those of a connection's check. */
export const nobody = ''
/** The service continues its own work, such as a regrade that an earlier version began. */
const service = ''

/**
 * Whether somebody may start work: they are entitled to it, it keeps under the spending limits of their key, and under those of whoever
 * pays. People have no limits.
 * @param starterId of a session, person or key; empty: the service itself
 * @throws ApiError unauthenticated, workspace_forbidden, missing_scope, spend_ceiling_reached
 */
export function authorizeSpending(db: Database, starterId: string, work: Work, now: string): void {
  const { workspaceId, scope, spend, payerId = starterId, isHeld = false } = work
  if (starterId !== service) requireEntitled(db, workspaceId, starterId, scope, now)
  const payer = meterOf(db, payerId)
  const starter = payerId === starterId ? payer : meterOf(db, starterId)
  if (starter !== null && starter.id !== payer?.id) requireUnlimited(starter.ceilings, spend, payerId)
  if (payer !== null && !isHeld) requireUnderCeilings(payer.ceilings, spendingOf(db, payer.id), spend)
}

/** Another pays, or it is not counted, so nothing would use the starter's limits up: a key that has them could spend without end. */
function requireUnlimited(ceilings: Ceilings, spend: Spend, payerId: string): void {
  const limit = (['wallet', 'provider'] as const).find(purse => ceilings[purse] !== null && spend[purse] !== 0n)
  if (limit === undefined) return
  throw new ApiError(
    'spend_ceiling_reached',
    `The key’s ${limits[limit].noun} of ${formatUsd(String(ceilings[limit]))} would not count these calls, so they can't be kept under it. Ask a signed-in person to do this, or ${payerId === nobody ? `use a key without a ${limits[limit].noun}` : 'the key that pays for the work'}.`,
  )
}

function requireUnderCeilings(ceilings: Ceilings, spending: Readonly<Record<keyof Ceilings, Spending>>, spend: Spend): void {
  requireUnder('wallet', spend.wallet, ceilings, spending)
  if (spend.provider !== null) return requireUnder('provider', spend.provider, ceilings, spending)
  if (ceilings.provider === null) return
  throw new ApiError(
    'spend_ceiling_reached',
    `The connection states no rates, so its provider's bill cannot be kept under the key's provider spending limit of ${formatUsd(String(ceilings.provider))}. Ask an owner to state the rates of the connection (0 where calls are free) and make a new quote.`,
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
