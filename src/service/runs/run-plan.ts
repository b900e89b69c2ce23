import { createHash } from 'node:crypto'
import type { ProfilePlan, RunModel, RunPlan } from '../../engine/scheduler/ports.ts'
import { majorityTarget } from '../../engine/model-clients/baselines/answer-as-baseline.ts'
import type { PromptRecipe } from '../../engine/samples/render-prompt.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { Connections } from '../connections/index.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import { quoteOf } from './run-record.ts'
import type { RunRow } from './runs.store.ts'

/** How each profile of a run shows its tasks. @throws Error when a frozen profile is gone, which nothing may do. */
export function recipesOf(quote: StoredQuote, workspaceId: string, catalog: Catalog): PromptRecipe[] {
  return quote.profiles.map(({ profile_id }) => {
    const entry = catalog.profile(workspaceId, profile_id)
    if (!entry) throw new Error(`The frozen profile ${profile_id} is gone.`)
    return entry.promptRecipe
  })
}

/** Everything that carrying a run out needs, from what was frozen when it was quoted. */
export async function planRun(row: RunRow, catalog: Catalog, connections: Connections): Promise<RunPlan> {
  const quote = quoteOf(row)
  const recipes = recipesOf(quote, row.workspace_id, catalog)
  return {
    runNo: row.no,
    runId: row.id,
    seed: quote.coverage.seed ?? seedFrom(row.id),
    profiles: quote.profiles.map((profile, i): ProfilePlan => {
      const promptRecipe = recipes[i]
      if (!promptRecipe) throw new Error(`The profile ${profile.profile_id} has no prompt.`)
      return {
        profileId: profile.profile_id,
        promptRecipe,
        generation: profile.generation,
        metrics: profile.metrics,
        majorityTarget: majorityOf(quote, profile.profile_id, row.workspace_id, catalog),
      }
    }),
    execution: quote.execution,
    model: await modelOf(quote, row.workspace_id, connections),
  }
}

/** Full runs have no seed of their own; baselines still need one that stays the same over restarts. */
function seedFrom(runId: string): number {
  return createHash('sha256').update(runId).digest().readUInt32LE(0)
}

async function modelOf({ model }: StoredQuote, workspaceId: string, connections: Connections): Promise<RunModel> {
  if (model.kind === 'managed') return { kind: 'baseline', routeId: model.route_id ?? '' }
  const id = model.connection_id ?? ''
  const connection = connections.find(workspaceId, id)
  if (!connection) throw new Error(`The connection ${id} is gone.`)
  return {
    kind: 'endpoint',
    endpoint: `connection:${id}`,
    client: await connections.open(workspaceId, id),
    limits: { maxConcurrency: connection.limits.max_concurrency, requestsPerMinute: connection.limits.requests_per_minute },
  }
}

/** Over all tasks of the profile, so that the baseline is the same whatever the sample. */
function majorityOf(quote: StoredQuote, profileId: string, workspaceId: string, catalog: Catalog): string | null {
  if (quote.model.route_id !== 'assay/majority') return null
  const entry = catalog.profile(workspaceId, profileId)
  if (!entry?.version) return null
  return majorityTarget(catalog.tasks(catalog.taskIds(entry.version.no, entry.definition.split).map(task => task.no)))
}
