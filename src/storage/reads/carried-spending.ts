import type { Database } from '../database.ts'

/** Micro-USD that a schedule or a monitor spent in a month, in runs that a restore of a backup took away. */
export function carriedIn(db: Database, ownerId: string, month: string): bigint {
  const row = db.first(
    db.sql
      .selectFrom('carried_spending')
      .select(['spent_microusd', 'billed_microusd'])
      .where('owner_id', '=', ownerId)
      .where('month', '=', month),
  )
  return row === undefined ? 0n : BigInt(row.spent_microusd + row.billed_microusd)
}
