import { ApiError } from '../../contract/errors.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { accountingMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { Scope } from '../../contract/scopes.ts'
import { holdFor } from '../../engine/clients/pricing/pricing.ts'
import { transition } from '../../storage/transition.ts'
import { holdForRun } from '../billing/index.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { Connections } from '../connections/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import { startWork } from '../spending/index.ts'
import { missingEndpoint } from './missing-endpoint.ts'
import { amountOf, providerBound, providerHold } from './provider-hold.ts'
import { findRunByOperation, insertRun } from './runs.store.ts'

export interface Submission {
  readonly workspaceId: string
  readonly principalId: string
  /** Of the area that starts it. */
  readonly scope: Scope
  readonly operationKey: string | null
  readonly quoteId: string
  readonly name: string
  /** Micro-USD that this run may cost, in place of the caps of its quote. */
  readonly caps?: { readonly wallet: bigint; readonly provider: bigint | null }
  /** Only samples at positions below it are run until it is raised. */
  readonly gate?: number | null
}

/**
 * Makes the run and sets its money aside, all in one transaction, however many samples it has. A quote and key that were submitted before
 * answer the same run, also after the quote has expired.
 */
export function submitRun(
  kernel: Kernel,
  quotes: Quotes,
  submission: Submission,
  { catalog, connections }: { readonly catalog: Pick<Catalog, 'profile'>; readonly connections: Pick<Connections, 'find' | 'routes'> },
  read: (id: string) => Run,
): { readonly run: Run; readonly isNew: boolean } {
  const { db, ids, clock } = kernel
  const { workspaceId, operationKey, name, caps, gate } = submission
  const quote = quotes.read(workspaceId, submission.quoteId)
  return db.transaction(() => {
    const earlier = operationKey === null ? undefined : findRunByOperation(db, workspaceId, quote.id, operationKey)
    if (earlier) {
      if (earlier.name !== name)
        throw new ApiError(
          'idempotency_mismatch',
          `The Idempotency-Key was used for this quote before, with the name "${earlier.name}". Use a new key for another run.`,
        )
      return { run: read(earlier.id), isNew: false }
    }
    requireSubmittable(quote)
    requireNotWithdrawn(quote, catalog, workspaceId)
    const missing = missingEndpoint(quote.model, workspaceId, connections)
    if (missing !== null)
      throw new ApiError('quote_incompatible', `The quote cannot be submitted: the ${missing}. Create a quote with another model.`)
    const id = ids.next()
    const createdAt = timestamp(clock)
    const cap = caps?.wallet ?? BigInt(quote.cost.max_charge_microusd)
    const held = holdFor(cap, BigInt(quote.cost.upper_bound_microusd))
    const maxBilled = caps ? caps.provider : amountOf(quote.execution.max_provider_billed_microusd)
    const provider = providerHold(maxBilled, providerBound(quote))
    const { principalId, scope } = submission
    return startWork(db, principalId, { workspaceId, scope, spend: { wallet: held, provider } }, createdAt, () => {
      insertRun(db, {
        id,
        workspaceId,
        quoteId: quote.id,
        operationKey,
        principalId,
        name,
        frozen: quote.counts.samples,
        maxCharge: cap,
        held,
        search: searchText(name, quote),
        createdAt,
        maxBilled,
        providerHeld: provider ?? 0n,
        gate: gate ?? null,
      })
      holdForRun(db, { workspaceId, runId: id, amount: held, at: createdAt })
      transition(db, accountingMachine, { table: 'runs', column: 'accounting_state' }, id, 'hold', createdAt)
      return { run: read(id), isNew: true }
    })
  })
}

function requireSubmittable(quote: Quote): void {
  if (quote.status === 'expired')
    throw new ApiError(
      'quote_expired',
      `The quote expired at ${quote.expires_at}. Make a new one; the same selection and seed freeze the same tasks.`,
    )
  if (quote.compatibility.status === 'incompatible') {
    const failed = quote.compatibility.checks.find(check => check.status === 'fail')
    throw new ApiError('quote_incompatible', `The quote is incompatible and cannot be submitted: ${failed?.detail ?? 'see its checks'}`)
  }
}

/** A profile that was retired or quarantined after the quote was made is run no more. */
function requireNotWithdrawn(quote: Quote, catalog: Pick<Catalog, 'profile'>, workspaceId: string): void {
  for (const { profile_id } of quote.profiles) {
    const status = catalog.profile(workspaceId, profile_id)?.status
    if (status === 'retired' || status === 'quarantined')
      throw new ApiError('quote_incompatible', `The quote cannot be submitted: the profile "${profile_id}" is ${status} by now.`)
  }
}

/** Lower-case text by which a run is found. */
export function searchText(name: string, quote: Pick<Quote, 'model' | 'profiles'>): string {
  return [name, quote.model.title, quote.model.model, ...quote.profiles.flatMap(p => [p.slug, p.benchmark_title ?? '', p.title])]
    .join(' ')
    .toLowerCase()
}
