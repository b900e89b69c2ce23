import { ApiError } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'
import { meterOf, spendingOf } from './keys.store.ts'

/**
 * Refuses what would take a key past its ceiling, in the caller's transaction and before any work. People have none.
 * @throws ApiError spend_ceiling_reached
 */
export function demandUnderCeiling(db: Database, principalId: string, amount: bigint): void {
  const meter = meterOf(db, principalId)
  if (meter === null || meter.ceiling === null || amount === 0n) return
  const { spent, held } = spendingOf(db, meter.id)
  const left = meter.ceiling - spent - held
  if (amount <= left) return
  throw new ApiError(
    'spend_ceiling_reached',
    `The request may cost up to ${amount} micro-USD and the key has ${left > 0n ? left : 0n} of its ceiling of ${meter.ceiling} left. Lower the cap, or ask an owner to raise the ceiling.`,
  )
}
