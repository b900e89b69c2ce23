import { createHash } from 'node:crypto'
import type { BatchSettings } from '../../engine/clients/batches/batch-lane.ts'
import { isCharged, tokenRates } from '../../engine/clients/pricing/pricing.ts'
import { findBaseline } from '../../engine/execution/baselines/baseline-routes.ts'
import type { CacheScope, MoneyPlan, ProfilePlan, RunModel, RunPlan } from '../../engine/execution/scheduler/ports.ts'
import { majorityTarget } from '../../engine/execution/baselines/answer-as-baseline.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import { callSettings } from '../../engine/execution/samples/sample-request.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { type Connections, endpointLimits, endpointName } from '../connections/index.ts'
import { changedRecipe } from '../quotes/index.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import type { RunRow } from './runs.store.ts'

/** How each profile of a run shows its tasks. @throws Error when a frozen profile is gone, which nothing may do. */
export function recipesOf(quote: StoredQuote, workspaceId: string, catalog: Catalog): PromptRecipe[] {
  return quote.profiles.map(({ profile_id }) => {
    const entry = catalog.profile(workspaceId, profile_id)
    if (!entry) throw new Error(`The frozen profile ${profile_id} is gone.`)
    return changedRecipe(entry.promptRecipe, quote.execution)
  })
}

/** Names what runs in batch mode share: their calls take no place of others. */
export const batchEndpointName = (connectionId: string): string => `${endpointName(connectionId)} batch`

/** Calls that wait for batches at a time. */
const batchLimits = { maxConcurrency: 20_000, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt', isFixed: true } as const

/** Everything that carrying a run out needs, from what was frozen when it was quoted. */
export async function planRun(row: RunRow, catalog: Catalog, connections: Connections, batch: BatchSettings): Promise<RunPlan> {
  const quote = quoteOf(row)
  const recipes = recipesOf(quote, row.workspace_id, catalog)
  const plan = {
    runNo: row.no,
    runId: row.id,
    seed: quote.coverage.seed ?? seedFrom(row.id),
    profiles: profilesOf(row).map((profile, i): ProfilePlan => {
      const promptRecipe = recipes[i]
      if (!promptRecipe) throw new Error(`The profile ${profile.profile_id} has no prompt.`)
      return {
        profileId: profile.profile_id,
        promptRecipe,
        generation: profile.generation,
        metrics: profile.metrics,
        ...callSettings(catalog.profile(row.workspace_id, profile.profile_id)?.definition),
        majorityTarget: majorityOf(quote, profile.profile_id, row.workspace_id, catalog),
      }
    }),
    execution: { ...quote.execution, concurrency: isBatched(quote) ? null : (row.concurrency ?? quote.execution.concurrency) },
    money: moneyOf(row, quote),
    cacheScope: cacheScopeOf(row, quote, connections),
    ranMs: row.running_ms,
    gate: row.gate,
  }
  // Opened last: an error after this point would leave the client open.
  return { ...plan, model: await modelOf(quote, row.workspace_id, connections, batch) }
}

/** A managed route charges the wallet; a connection's provider bills by itself, by the rates that were stated when it was quoted. */
function moneyOf(row: RunRow, { model }: StoredQuote): MoneyPlan | null {
  const rates = tokenRates(model.rates)
  const uncertain = BigInt(row.uncertain_microusd)
  if (model.kind === 'managed')
    return isCharged(rates)
      ? { rates, payer: 'wallet', cap: BigInt(row.held_microusd), spent: BigInt(row.charged_microusd) + uncertain }
      : null
  // Without rates too: what a provider states that a call cost is known.
  return {
    rates,
    payer: 'provider',
    cap: row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd),
    spent: BigInt(row.billed_microusd) + uncertain,
  }
}

/** A retry bypasses cached answers, but its answers are cached for later runs. */
function cacheScopeOf(row: RunRow, { model, execution }: StoredQuote, connections: Connections): CacheScope | null {
  if (!execution.cache) return null
  const read = row.part_asks !== 'chosen'
  if (model.kind === 'managed') {
    const reached = connections.routes(row.workspace_id).find(({ route }) => route.route_id === model.route_id)
    const endpoint = [reached?.baseUrl, ...(model.request_settings ? [canonicalJson(model.request_settings)] : [])].join(' ')
    return reached ? { endpoint, model: reached.route.model, read } : null
  }
  const connection = model.connection_id === null ? null : connections.find(row.workspace_id, model.connection_id)
  if (!connection) return null
  const { request_settings: settings } = model
  const parts = [connection.base_url, ...(connection.streaming ? ['streaming'] : []), ...(settings ? [canonicalJson(settings)] : [])]
  return { endpoint: parts.join(' '), model: connection.model, read }
}

/** Full runs have no seed of their own; baselines still need one that stays the same over restarts. */
function seedFrom(runId: string): number {
  return createHash('sha256').update(runId).digest().readUInt32LE(0)
}

const isBatched = ({ execution }: StoredQuote): boolean => execution.mode === 'batch'

async function modelOf(quote: StoredQuote, workspaceId: string, connections: Connections, batch: BatchSettings): Promise<RunModel> {
  const { model } = quote
  if (model.kind === 'imported') return { kind: 'imported' }
  if (model.kind === 'managed') return managedModel(model, workspaceId, connections)
  const id = model.connection_id ?? ''
  const connection = connections.find(workspaceId, id)
  if (!connection) throw new Error(`The connection ${id} is gone.`)
  if (isBatched(quote))
    return {
      kind: 'endpoint',
      endpoint: batchEndpointName(id),
      client: await connections.open(workspaceId, id, model, batch),
      limits: batchLimits,
      isBatched: true,
    }
  return {
    kind: 'endpoint',
    endpoint: endpointName(id),
    client: await connections.open(workspaceId, id, model),
    limits: endpointLimits(connection.limits),
  }
}

async function managedModel(model: StoredQuote['model'], workspaceId: string, connections: Connections): Promise<RunModel> {
  const routeId = model.route_id ?? ''
  if (findBaseline(routeId)) return { kind: 'baseline', routeId }
  const { endpoint, client, limits } = await connections.openRoute(workspaceId, routeId, model.request_settings)
  return { kind: 'endpoint', endpoint, client, limits: endpointLimits(limits) }
}

/** Over all tasks of the profile, so that the baseline is the same whatever the sample. */
function majorityOf(quote: StoredQuote, profileId: string, workspaceId: string, catalog: Catalog): string | null {
  if (quote.model.route_id !== 'assay/majority') return null
  const entry = catalog.profile(workspaceId, profileId)
  if (!entry?.version) return null
  return majorityTarget(catalog.tasks(catalog.taskIds(entry.version.no, entry.definition).map(task => task.no)))
}
