import { formatUsd } from '../../lib/format/money.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Database } from '../../storage/database.ts'
import { partsOf } from './parts.store.ts'
import type { RunRow } from './runs.store.ts'

/** What several runs may charge together, beyond the cap of each. */
export interface SharedLimit {
  /** What sets it, for messages: `the release decision "2.1"`. */
  readonly of: string
  /** Micro-USD that is neither charged nor set aside yet. */
  readonly left: bigint
}

/** The limit that a run shares with others; null where there is none. Reads in the caller's transaction. */
export type SharedLimitOf = (workspaceId: string, runId: string) => SharedLimit | null

/** Limits that other features set. */
export interface SharedLimits {
  readonly of: SharedLimitOf
  add(limit: SharedLimitOf): void
}

export function createSharedLimits(): SharedLimits {
  const limits: SharedLimitOf[] = []
  return {
    add: limit => void limits.push(limit),
    of: (workspaceId, runId) =>
      limits.reduce<SharedLimit | null>((least, limit) => {
        const found = limit(workspaceId, runId)
        return found !== null && (least === null || found.left < least.left) ? found : least
      }, null),
  }
}

/** @throws ApiError spending_limit_reached */
export function requireWithin(limit: SharedLimit | null, needed: bigint): void {
  if (limit === null || needed <= limit.left) return
  throw new ApiError(
    'spending_limit_reached',
    `Spending limit of ${limit.of} reached: ${formatUsd(String(needed))} is needed and ${formatUsd(String(limit.left))} is left of what its runs may charge together.`,
  )
}

/** Micro-USD that a run and its parts have charged or may still charge. */
export function committedBy(db: Database, row: Pick<RunRow, 'no' | 'accounting_state' | 'held_microusd' | 'charged_microusd'>): bigint {
  return [row, ...partsOf(db, row.no)].reduce((sum, { accounting_state: state, held_microusd, charged_microusd }) => {
    const [held, charged] = [BigInt(held_microusd), BigInt(charged_microusd)]
    return sum + (state === 'settled' || charged > held ? charged : held)
  }, 0n)
}
