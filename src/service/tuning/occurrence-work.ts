import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'
import type { JobContext } from '../jobs/index.ts'
import type { MonitorRow } from './monitors.store.ts'
import type { OccurrenceChanges, OccurrenceRow } from './occurrences.store.ts'

export const OccurrenceInput = z.strictObject({ occurrence_id: z.string() })
export type OccurrenceInput = z.infer<typeof OccurrenceInput>
export type SkipReason = NonNullable<TuneOccurrence['skip_reason']>

/** An occurrence with its monitor, and what it may spend. */
export interface Work {
  readonly job: JobContext<OccurrenceInput>
  readonly occurrence: OccurrenceRow
  readonly monitor: MonitorRow
  /** Micro-USD that this occurrence may charge the wallet: its own limit, and what is left of the month's. */
  readonly cap: bigint
  /** accepted → running, with what is set aside of the month's limit, by whomever it is paid; once. @param write stored in the same transaction */
  begin(held: bigint, write?: () => void): void
}

export type Spent = Required<Pick<OccurrenceChanges, 'spent_microusd' | 'billed_microusd'>>

/** As an occurrence stores it. Micro-USD. */
export function spentBy({ charged, billed }: { readonly charged: bigint; readonly billed: bigint }): Spent {
  return { spent_microusd: Number(charged), billed_microusd: Number(billed) }
}

/** What becomes of it, worked out in the transaction that ends its job. */
export interface Finding {
  /** Null where nothing was looked at. */
  readonly verdict: TuneOccurrence['verdict']
  readonly changes: OccurrenceChanges
}

/** Thrown before anything was begun. */
export class Skip extends Error {
  override readonly name = 'Skip'
  readonly reason: SkipReason
  constructor(reason: SkipReason) {
    super(`The occurrence is skipped: ${reason}.`)
    this.reason = reason
  }
}

/** The benchmark or its comparison can't be made: a reason for people, never a fault of Assay's. */
export function failedBecause(message: string): ApiError {
  return new ApiError('conflict', message)
}
