import { ApiError } from '../../contract/errors.ts'
import { illegalTransition, isTerminal } from '../../contract/machine.ts'
import { accountingMachine, runMachine } from '../../contract/runs/run.machine.ts'
import { holdFor } from '../../engine/clients/pricing/pricing.ts'
import { transition } from '../../storage/transition.ts'
import { holdForRun } from '../billing/index.ts'
import type { Connections } from '../connections/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import { startWork } from '../spending/index.ts'
import { isDroppingRegrade } from './dropped-regrades.store.ts'
import { missingEndpoint } from './missing-endpoint.ts'
import { copyIntoPart, withoutScore } from '../../storage/runs/part-samples.store.ts'
import { hasOpenPart, partsOf } from './parts.store.ts'
import { providerBound, providerHold } from './provider-hold.ts'
import { regradeOf } from './regrades.store.ts'
import { quoteOf } from './run-record.ts'
import { countsOf, insertRun, type RunRow } from './runs.store.ts'
import { requireWithin, type SharedLimitOf } from './shared-limit.ts'

/** Which samples a part asks: all that have no score, or the ones at these places. */
export type Wanted = { readonly selection: 'failed' } | { readonly selection: 'chosen'; readonly positions: readonly number[] }

/**
 * Creates a part: a linked run that retries samples of an ended run, within what is left of that run's caps and of the limit that it
 * shares with others. Answers its id.
 * @throws ApiError not_found, illegal_transition, conflict, insufficient_credit, spend_ceiling_reached
 */
export function retrySamples(
  kernel: Kernel,
  { connections, limitOf }: { readonly connections: Connections; readonly limitOf: SharedLimitOf },
  row: RunRow,
  principalId: string,
  wanted: Wanted,
): string {
  const { db, ids, clock } = kernel
  requireAtRest(kernel, row, 'retry')
  requireEndpoint(row, connections)
  const counts = countsOf(db, row.no)
  const samples =
    wanted.selection === 'chosen' ? new Set(wanted.positions).size : withoutScore.reduce((sum, s) => sum + (counts.get(s) ?? 0), 0)
  if (samples === 0) throw new ApiError('conflict', `Every sample of the run "${row.id}" has a score: there is nothing to retry.`)
  return db.transaction(() => {
    const { cap, held, maxBilled, provider } = moneyFor(kernel, limitOf, row, samples)
    const id = ids.next()
    const createdAt = timestamp(clock)
    const workspaceId = row.workspace_id
    return startWork(db, principalId, { workspaceId, scope: 'runs:write', spend: { wallet: held, provider } }, createdAt, () => {
      const no = insertRun(db, {
        id,
        workspaceId,
        quoteId: row.quote_id,
        operationKey: null,
        principalId,
        name: row.name,
        frozen: samples,
        maxCharge: cap,
        held,
        search: '',
        createdAt,
        maxBilled,
        providerHeld: provider ?? 0n,
        part: { of: row.no, selection: wanted.selection, profiles: row.regraded_profiles },
      })
      // An id of the run's own form can still name a place beyond its end.
      if (wanted.selection === 'chosen' && copyIntoPart(db, no, row.no, wanted.positions) < samples)
        throw new ApiError('not_found', `Some of the named samples are not of the run "${row.id}".`)
      holdForRun(db, { workspaceId, runId: id, amount: held, at: createdAt })
      transition(db, accountingMachine, { table: 'runs', column: 'accounting_state' }, id, 'hold', createdAt)
      return id
    })
  })
}

/** Refuses while the run, a part of it or a regrade is in progress: each creates the next result version. */
export function requireAtRest({ db }: Kernel, row: RunRow, event: string): void {
  if (row.part_of !== null)
    throw new ApiError('conflict', `The run "${row.id}" is itself a part, so "${event}" is for the run that it belongs to.`)
  if (!isTerminal(runMachine, row.status)) throw illegalTransition('run', row.id, row.status, event)
  if (hasOpenPart(db, row.no))
    throw new ApiError('conflict', `A retry of the run "${row.id}" is still running. Wait until it ends, or cancel it.`)
  if (regradeOf(db, row.no)) throw new ApiError('conflict', `The run "${row.id}" is being regraded. Wait until the new result is ready.`)
  if (isDroppingRegrade(db, row.no))
    throw new ApiError('conflict', `The scores of a cancelled regrade of the run "${row.id}" are being removed. Try again in a moment.`)
}

function requireEndpoint(row: RunRow, connections: Connections): void {
  const { model } = quoteOf(row)
  if (model.kind === 'imported')
    throw new ApiError(
      'conflict',
      `The answers of the run "${row.id}" were imported, so that no model can be called for it. Import the missing ones.`,
    )
  const missing = missingEndpoint(model, row.workspace_id, connections)
  if (missing !== null) throw new ApiError('conflict', `The ${missing}, so no model can be called.`)
}

interface MoneyOfPart {
  readonly cap: bigint
  readonly held: bigint
  readonly maxBilled: bigint | null
  /** Null: unknown. */
  readonly provider: bigint | null
}

/** The part's upper bound, as far as the run's caps leave room. Micro-USD. */
function moneyFor({ db }: Kernel, limitOf: SharedLimitOf, row: RunRow, samples: number): MoneyOfPart {
  const quote = quoteOf(row)
  const { cost } = quote
  const parts = partsOf(db, row.no)
  const charged = parts.reduce((sum, part) => sum + BigInt(part.charged_microusd), BigInt(row.charged_microusd))
  const billed = [row, ...parts].reduce(
    (sum, { billed_microusd, uncertain_microusd }) => sum + BigInt(billed_microusd + uncertain_microusd),
    0n,
  )
  const own = BigInt(row.max_charge_microusd) - charged
  const bound = boundOfPart(BigInt(cost.upper_bound_microusd), cost, samples)
  const billable = providerBound(quote)
  const maxBilled = row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd) - billed
  if ((bound > 0n && own <= 0n) || (maxBilled !== null && maxBilled <= 0n))
    throw new ApiError('conflict', `The run "${row.id}" has reached its spending limit. Raise the limit to continue.`)
  const shared = limitOf(row.workspace_id, row.id)
  if (bound > 0n && shared !== null && shared.left <= 0n) requireWithin(shared, bound)
  const left = shared !== null && shared.left < own ? shared.left : own
  const provider = providerHold(maxBilled, billable === null ? null : boundOfPart(billable, cost, samples))
  return { cap: left, held: holdFor(left, bound), maxBilled, provider }
}

/** Any samples of the run: each costs at most what the most expensive one does, and all together at most what the run could. */
function boundOfPart(whole: bigint, { sample_upper_bound_microusd }: StoredQuote['cost'], samples: number): bigint {
  // Quotes of earlier versions do not say what one sample can cost.
  return sample_upper_bound_microusd === null ? whole : holdFor(whole, BigInt(sample_upper_bound_microusd) * BigInt(samples))
}
