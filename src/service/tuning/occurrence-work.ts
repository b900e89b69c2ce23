import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'
import type { JobContext } from '../jobs/index.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Work as SpendingWork } from '../spending/index.ts'
import { type MonitorRow, targetOf } from './monitors.store.ts'
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

/** What an occurrence costs at least: enough to refuse who may spend nothing. What it can cost at most is for its run and judges. */
export function leastWork(quotes: Pick<Quotes, 'least'>, monitor: MonitorRow, kind: TuneOccurrence['kind']): SpendingWork {
  const { workspace_id: workspaceId, evaluator_version_id: versionId } = monitor
  const evaluators = versionId === null ? [] : [versionId]
  const { model, prompt } = targetOf(monitor)
  const asked =
    kind === 'event' ? { models: [model], profileIds: [prompt?.profile_id ?? monitor.profile_id] } : { models: [], profileIds: [] }
  return { workspaceId, scope: 'tuning:write', spend: quotes.least(workspaceId, { ...asked, evaluators }) }
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
  /** Of the refusal that it follows from. */
  readonly sentence: string | null
  constructor(reason: SkipReason, sentence: string | null = null) {
    super(sentence ?? `The occurrence is skipped: ${reason}.`)
    this.reason = reason
    this.sentence = sentence
  }
}

/** A key that was given a limit, or lost a scope, after the monitor was made; null for other faults. */
export function skipOf(error: unknown): Skip | null {
  if (error instanceof Skip) return error
  const reason = error instanceof ApiError ? refusals[error.code] : undefined
  return reason === undefined ? null : new Skip(reason, error instanceof ApiError ? error.message : null)
}
const refusals: Partial<Record<ApiError['code'], SkipReason>> = {
  unauthenticated: 'unauthorized',
  workspace_forbidden: 'unauthorized',
  missing_scope: 'unauthorized',
  spend_ceiling_reached: 'cap_reached',
}

/** The benchmark or its comparison can't be made: a reason for people, never a fault of Assay's. */
export function failedBecause(message: string): ApiError {
  return new ApiError('conflict', message)
}
