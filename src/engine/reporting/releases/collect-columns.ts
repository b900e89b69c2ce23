import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { ResolvedSelection } from '../../../contract/suites/suites.schemas.ts'
import { isBinaryScorer } from '../../grading/scorers/value-kind.ts'
import { at } from '../../statistics/sample.ts'
import type { GroupColumns, SideColumns } from './figures.ts'

/** A sample as a decision reads it. */
export interface ReleaseSample {
  readonly profileNo: number
  readonly taskId: string
  readonly epoch: number
  readonly status: string
  readonly errorCode: string | null
  readonly latencyMs: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly tags: { readonly facets: Readonly<Record<string, string>> }
  readonly values: readonly (number | null)[]
}

export interface RunSamples {
  readonly profiles: readonly FrozenProfile[]
  readonly samples: Iterable<ReleaseSample>
  /** Micro-USD of an answer by its tokens, null where they were not counted; the whole is null where rates are not known. */
  readonly costOf: ((tokens: { readonly inputTokens: number; readonly outputTokens: number } | null) => number | null) | null
}

export interface GroupToCollect {
  readonly key: string
  readonly weight: number
  readonly critical: boolean
  readonly clusterBy: string | null
  readonly selections: readonly ResolvedSelection[]
  readonly candidate: readonly RunSamples[]
  readonly baseline: readonly RunSamples[] | null
}

/** Puts a group's samples into columns, a row for each task. @param metrics names that rules ask for, `''` the primary */
export function collectColumns(group: GroupToCollect, metrics: readonly string[]): GroupColumns {
  const tasks = group.selections.flatMap(({ source_ref: source, task_ids: ids }) => ids.map(id => nameOf(source, id)))
  const placeOf = new Map(tasks.map((task, i) => [task, i]))
  const clusters: (string | undefined)[] | null = group.clusterBy === null ? null : tasks.map(() => undefined)
  const side = (runs: readonly RunSamples[]) => collectSide(runs, placeOf, metrics, group.clusterBy, clusters)
  const candidate = side(group.candidate)
  const baseline = group.baseline && side(group.baseline)
  const { key, weight, critical } = group
  return {
    key,
    weight,
    critical,
    tasks,
    clusters: clusters?.some(cluster => cluster !== undefined) ? clusters.map((cluster, i) => cluster ?? `#${i}`) : null,
    candidate,
    baseline,
  }
}

/** Unique over sources. */
export function nameOf(sourceRef: string, taskId: string): string {
  return `${sourceRef} ${taskId}`
}

function collectSide(
  runs: readonly RunSamples[],
  placeOf: ReadonlyMap<string, number>,
  metrics: readonly string[],
  clusterBy: string | null,
  clusters: (string | undefined)[] | null,
): SideColumns {
  const n = placeOf.size
  const column = () => new Float64Array(n)
  const sums = metrics.map(column)
  const counts = metrics.map(column)
  const failed = new Uint8Array(n)
  const [cost, answers, latency] = [column(), column(), column().fill(Number.NaN)]
  const binary = new Set(metrics)
  for (const { profiles, samples, costOf } of runs) {
    const numbers = profiles.map(profile => metrics.map(metric => metricNumber(profile, metric)))
    for (const [p, profile] of profiles.entries()) {
      for (const [m, metric] of metrics.entries()) {
        const found = profile.metrics[numbers[p]?.[m] ?? -1]
        if (found && !isBinaryScorer(found)) binary.delete(metric)
      }
    }
    for (const sample of samples) {
      const place = placeOf.get(nameOf(profiles[sample.profileNo]?.source_ref ?? '', sample.taskId))
      if (place === undefined) continue
      const facet = clusterBy === null ? undefined : sample.tags.facets[clusterBy]
      if (clusters && facet !== undefined) clusters[place] = `=${facet}`
      if (sample.status !== 'scored') failed[place] = 1
      if (Number.isNaN(at(latency, place))) {
        if (sample.errorCode === 'timeout') latency[place] = Number.POSITIVE_INFINITY
        else if (sample.status === 'scored' && sample.latencyMs !== null) latency[place] = sample.latencyMs
      }
      if (sample.status === 'scored') {
        const { inputTokens, outputTokens } = sample
        const charged = costOf?.(inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens }) ?? Number.NaN
        cost[place] = at(cost, place) + charged
        answers[place] = at(answers, place) + 1
      }
      for (const [m, no] of (numbers[sample.profileNo] ?? []).entries()) {
        const value = no === null ? null : (sample.values[no] ?? null)
        const [sum, count] = [sums[m], counts[m]]
        if (value === null || !sum || !count) continue
        sum[place] = at(sum, place) + value
        count[place] = at(count, place) + 1
      }
    }
  }
  return {
    values: Object.fromEntries(metrics.map((metric, m) => [metric, mean(sums[m] ?? column(), counts[m] ?? column())])),
    binary: [...binary],
    failed,
    cost: mean(cost, answers),
    latency,
  }
}

function mean(sums: Float64Array, counts: Float64Array): Float64Array {
  return sums.map((sum, i) => (at(counts, i) === 0 ? Number.NaN : sum / at(counts, i)))
}

function metricNumber({ metrics }: FrozenProfile, metric: string): number | null {
  const found = metrics.findIndex(({ id, primary }) => (metric === '' ? primary : id === metric))
  return found < 0 ? null : found
}
