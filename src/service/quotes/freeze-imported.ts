import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { type ExecutionSettings, ExecutionSettings as Settings, type ModelSnapshot } from '../../contract/quotes/quotes.schemas.ts'
import { plannedDetectableDifference } from '../../lib/detectable-difference.ts'
import type { Catalog, CatalogProfile } from '../catalog/catalog.types.ts'
import { type FrozenTask, taskDigest } from './freeze-tasks.ts'
import { coveredParts, freezeProfile } from './freeze-profile.ts'
import type { StoredQuote } from './quotes.store.ts'
import { areWhole, freezeExact } from './select-tasks.ts'

export interface ImportedSelection {
  readonly entry: CatalogProfile
  readonly version: NonNullable<CatalogProfile['version']>
  /** In the order of the benchmark. */
  readonly tasks: readonly FrozenTask[]
  readonly epochs: number
  readonly model: string
  /** Beside those of the profile, or in their place where they have their ids; a primary one takes the headline. */
  readonly metrics: readonly Metric[]
}

/**
 * What a run of imported answers was frozen with: the plan that a quote would hold, without any call or cost. It is not an offer, so it
 * is expired from the start.
 */
export function freezeImported(
  { entry, version, tasks, epochs, model, metrics }: ImportedSelection,
  catalog: Pick<Catalog, 'taskIds'>,
  { id, at }: { readonly id: string; readonly at: string },
): StoredQuote {
  const execution: ExecutionSettings = Settings.parse({ epochs })
  const selection = freezeExact({ entry, version, tasks }, execution, catalog)
  const profile = freezeProfile(selection)
  return {
    id,
    created_at: at,
    expires_at: at,
    model: importedModel(model),
    profiles: [{ ...profile, metrics: withImported(profile.metrics, metrics) }],
    coverage: {
      mode: tasks.length === selection.available ? 'full' : 'exact',
      sample_count: null,
      seed: null,
      epochs,
      task_digest: taskDigest([{ profileId: entry.profile.id, tasks }]),
      full_benchmark: areWhole([selection]),
      parts: coveredParts(selection),
    },
    execution,
    compatibility: { status: 'compatible', checks: [] },
    counts: {
      tasks: tasks.length,
      samples: tasks.length * epochs,
      model_calls: 0,
      judge_calls: 0,
      sandbox_executions: 0,
      input_tokens: 0,
      output_tokens_upper_bound: 0,
    },
    cost: {
      components: [],
      estimated_charge_microusd: '0',
      upper_bound_microusd: '0',
      max_charge_microusd: '0',
      provider_billed_estimate_microusd: null,
      provider_billed_upper_bound_microusd: null,
      sample_upper_bound_microusd: null,
    },
    statistics: [
      {
        profile_id: entry.profile.id,
        n: tasks.length,
        minimum_detectable_difference: plannedDetectableDifference(tasks.length, epochs),
      },
    ],
    time: null,
    warnings: [],
  }
}

function withImported(own: readonly Metric[], imported: readonly Metric[]): Metric[] {
  const primary = imported.find(metric => metric.primary) ?? own.find(metric => metric.primary)
  const metrics = [
    ...own.map(metric => imported.find(({ id }) => id === metric.id) ?? metric),
    ...imported.filter(({ id }) => !own.some(metric => metric.id === id)),
  ]
  return metrics.map(metric => ({ ...metric, primary: metric.id === primary?.id }))
}

function importedModel(model: string): ModelSnapshot {
  return {
    kind: 'imported',
    route_id: null,
    connection_id: null,
    title: model,
    provider: 'imported',
    model,
    is_model: true,
    origin: null,
    streaming: false,
    rates: null,
  }
}
