import { ApiError } from '../../contract/errors.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { RunChanges } from '../../contract/runs/runs.schemas.ts'
import type { Scope } from '../../contract/scopes.ts'
import { holdFor } from '../../engine/clients/pricing/pricing.ts'
import { raiseHold } from '../billing/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { startWork } from '../spending/index.ts'
import { providerBound, providerHold } from './provider-hold.ts'
import { quoteOf } from './run-record.ts'
import { updateRun, type RunRow } from './runs.store.ts'
import { requireWithin, type SharedLimitOf } from './shared-limit.ts'
import { searchText } from './submit-run.ts'
import { storedLimit } from '../../storage/stored-limit.ts'

/** What a change means for a run that is executed, or for one that its cap stopped. */
export interface Changed {
  readonly concurrency: number | null | undefined
  /** Micro-USD that the payer may be charged in all from now on; undefined where nothing was raised. */
  readonly cap: bigint | undefined
  /** The run ended because of the cap that was raised now. */
  readonly goesOn: boolean
}

/**
 * Stores the changes, and sets more money aside for a raised cap, in one transaction.
 * @throws ApiError conflict for a cap that is lower than it was, insufficient_credit, spend_ceiling_reached
 */
export function changeRun(
  kernel: Kernel,
  limitOf: SharedLimitOf,
  row: RunRow,
  { principalId, scope }: { readonly principalId: string; readonly scope: Scope },
  changes: RunChanges,
): Changed {
  const { db, clock } = kernel
  const quote = quoteOf(row)
  const at = timestamp(clock)
  const ended = isTerminal(runMachine, row.status)
  const charge = raised('max_charge_microusd', changes.max_charge_microusd, BigInt(row.max_charge_microusd))
  const billed = raised(
    'max_provider_billed_microusd',
    changes.max_provider_billed_microusd,
    row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd),
  )
  const bound = BigInt(quote.cost.upper_bound_microusd)
  const providers = providerBound(quote)
  /** Of another's run the whole raise, although calls may need less of it: what is left of it would be theirs to pay for. */
  const raiseOf = (wanted: bigint | undefined, present: string | number | null, most: bigint | null, held: bigint): bigint | null => {
    if (wanted === undefined || most === 0n) return 0n
    if (most === null) return null
    return principalId === row.principal_id ? held : wanted - BigInt(present ?? 0)
  }
  return db.transaction(() => {
    const held = charge === undefined || ended ? BigInt(row.held_microusd) : holdFor(charge, bound)
    const more = held - BigInt(row.held_microusd)
    const provider = billed === undefined || ended ? null : providerHold(billed, providers)
    const moreBilled = provider === null ? 0n : provider - BigInt(row.provider_held_microusd)
    const store = () => {
      if (more > 0n) {
        requireWithin(limitOf(row.workspace_id, row.id), more)
        raiseHold(db, { workspaceId: row.workspace_id, runId: row.id, amount: more, at }, held)
      }
      updateRun(db, row.no, {
        ...(changes.name === undefined ? {} : { name: changes.name, search: searchText(changes.name, quote) }),
        ...(changes.archived === undefined ? {} : { archived_at: changes.archived ? (row.archived_at ?? at) : null }),
        ...(changes.pinned === undefined ? {} : { pinned_at: changes.pinned ? (row.pinned_at ?? at) : null }),
        ...(changes.concurrency === undefined ? {} : { concurrency: changes.concurrency }),
        ...(charge === undefined ? {} : { max_charge_microusd: Number(charge), held_microusd: Number(held) }),
        ...(billed === undefined ? {} : { max_billed_microusd: Number(billed) }),
        ...(provider === null ? {} : { provider_held_microusd: Number(provider) }),
      })
    }
    const spend = {
      wallet: raiseOf(charge, row.max_charge_microusd, bound, more) ?? 0n,
      provider: raiseOf(billed, row.max_billed_microusd, providers, moreBilled),
    }
    if (charge === undefined && billed === undefined) store()
    else startWork(db, principalId, { workspaceId: row.workspace_id, scope, spend, payerId: row.principal_id }, at, store)
    const cap = quote.model.kind === 'managed' ? (charge === undefined ? undefined : held) : billed
    return { concurrency: changes.concurrency, cap, goesOn: cap !== undefined && ended && row.stop_code === 'cap_reached' }
  })
}

/** Undefined where nothing is raised. */
function raised(field: string, wanted: string | undefined, present: bigint | null): bigint | undefined {
  if (wanted === undefined) return undefined
  const amount = BigInt(storedLimit(wanted))
  if (present === null)
    throw new ApiError(
      'conflict',
      `${field}: the run has no such spending limit, so it cannot be raised. Set one when you create the quote.`,
    )
  if (amount < present)
    throw new ApiError(
      'conflict',
      `${field}: ${amount} is less than the present ${present}. The spending limit of a run can only be raised; cancel the run to stop it.`,
    )
  return amount === present ? undefined : amount
}
