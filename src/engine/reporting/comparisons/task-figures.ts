import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { aggregateCounts, medianOf } from '../../grading/scorers/aggregate-counts.ts'
import type { AlignedPairing, ScoreCounts } from './align-samples.ts'

/** The figure of one run over the tasks at these places, each as often as it is named; null where it is undefined. */
export type FigureOf = (places: readonly number[]) => number | null

/**
 * How a run's figure is computed from tasks where it is not a mean of their values.
 * @param rowsOf the rows of each task, which its epochs are
 * @returns null where it is the mean, or where a score lacks what the figure is computed from, as scores of earlier versions do
 */
export function figureOfTasks(
  { runs, pairing, tasks, taskOf }: AlignedPairing,
  metricNo: number,
  run: number,
  rowsOf: readonly (readonly number[])[],
): FigureOf | null {
  const metric = pairing.metrics[metricNo]?.metric
  if (!metric?.aggregation) return null
  const { aggregation } = metric
  if (aggregation === 'median') {
    const values = runs[run]?.values[metricNo] ?? []
    const means = rowsOf.map(rows => rows.reduce((sum, row) => sum + (values[row] ?? Number.NaN), 0) / rows.length)
    return places => medianOf(places.map(place => means[place] ?? Number.NaN))
  }
  if (aggregation === 'all_of_group') {
    const groups = rowsOf.map(([row], i) => tasks[taskOf[row ?? -1] ?? -1]?.tags.facets['cluster'] ?? `#${i}`)
    return figureOfGroups(rowsOf, runs[run]?.values[metricNo] ?? [], groups)
  }
  const counts = runs[run]?.counts[metricNo] ?? []
  return figureOfCounts({ ...metric, aggregation }, rowsOf, counts)
}

/** Groups may come several times, so each task brings its part of its group. */
function figureOfGroups(rowsOf: readonly (readonly number[])[], values: readonly number[], groupOf: readonly string[]): FigureOf {
  const isRight = rowsOf.map(rows => rows.every(row => values[row] === 1))
  const groups = Map.groupBy(isRight.keys(), task => groupOf[task])
  const parts = new Float64Array(isRight.length)
  const rights = new Float64Array(isRight.length)
  for (const tasks of groups.values())
    for (const task of tasks) {
      parts[task] = 1 / tasks.length
      rights[task] = tasks.every(other => isRight[other]) ? 1 / tasks.length : 0
    }
  return places => {
    const sum = (of: Float64Array) => places.reduce((total, place) => total + (of[place] ?? 0), 0)
    return places.length === 0 ? null : sum(rights) / sum(parts)
  }
}

function figureOfCounts(
  metric: Pick<Metric, 'options'> & { readonly aggregation: Parameters<typeof aggregateCounts>[0]['aggregation'] },
  rowsOf: readonly (readonly number[])[],
  counts: readonly (ScoreCounts | null)[],
): FigureOf | null {
  const found = rowsOf.map(rows => rows.map(row => counts[row] ?? null))
  const known = found.map(some => some.filter(one => one !== null))
  if (known.some((some, task) => some.length < (found[task]?.length ?? 0))) return null
  const names = [...new Set(known.flat().flatMap(one => Object.keys(one)))]
  // A table, since a bootstrap adds these up a thousand times.
  const table = new Float64Array(rowsOf.length * names.length)
  for (const [task, some] of known.entries())
    for (const one of some)
      for (const [i, name] of names.entries()) table[task * names.length + i] = (table[task * names.length + i] ?? 0) + (one[name] ?? 0)
  return places => {
    const sums = new Float64Array(names.length)
    for (const place of places) for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (table[place * sums.length + i] ?? 0)
    return aggregateCounts(metric, Object.fromEntries(names.map((name, i) => [name, sums[i] ?? 0])))
  }
}

/** How many units are drawn from so many tasks, each alone or those of a cluster together, and the tasks of drawn units. */
export function unitsOf(count: number, clusters: readonly string[] | null) {
  if (!clusters) return { units: count, tasksOf: (drawn: readonly number[]) => drawn }
  const places = Array.from({ length: count }, (_, i) => i)
  const units = [...Map.groupBy(places, place => clusters[place] ?? '').values()]
  return { units: units.length, tasksOf: (drawn: readonly number[]) => drawn.flatMap(unit => units[unit] ?? []) }
}
