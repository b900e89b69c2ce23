import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { Estimate } from '../../../contract/runs/results.schemas.ts'
import { aggregateCounts, medianOf } from '../../grading/scorers/aggregate-counts.ts'
import { sacrebleuSignature, unsplitCautions } from '../../grading/scorers/sacrebleu/signature.ts'
import { bootstrapFigure } from '../../statistics/bootstrap-figure.ts'
import { zeroErrorCautions } from '../../statistics/summarize.ts'
import type { MetricTally } from './metric-tally.ts'

/** Fixed, so that equal samples give equal results. */
const seed = 1

type Counts = Readonly<Record<string, number>>

/** What one task brings: the sums over its epochs and the mean of its values. */
interface TaskSums {
  readonly counts: Record<string, number>
  values: number
  samples: number
  cluster: string | undefined
}

/**
 * A metric whose figure is computed from all tasks together, such as corpus BLEU. Its interval is the bootstrap's over whole tasks, or
 * whole clusters of them.
 */
export function createAggregateTally(
  metric: Pick<Metric, 'options' | 'scorer'> & { readonly aggregation: Exclude<NonNullable<Metric['aggregation']>, 'all_of_group'> },
): MetricTally {
  const tasks = new Map<string, TaskSums>()
  let without = 0
  const add = (taskId: string, value: number | null, cluster?: string, counts?: Counts | null) => {
    // A score of an earlier version of its scorer has no counts.
    if (value === null || (metric.aggregation !== 'median' && !counts)) {
      without++
      return
    }
    const sums: TaskSums = tasks.get(taskId) ?? { counts: {}, values: 0, samples: 0, cluster }
    for (const [name, count] of Object.entries(counts ?? {})) sums.counts[name] = (sums.counts[name] ?? 0) + count
    sums.values += value
    sums.samples++
    tasks.set(taskId, sums)
  }
  const estimate = (): Estimate => {
    const all = [...tasks.values()]
    const units = [...Map.groupBy(all, ({ cluster }) => cluster ?? {}).values()]
    const found = bootstrapFigure(
      units.length,
      places =>
        figureOf(
          metric,
          places.flatMap(place => units[place] ?? []),
        ),
      { seed },
    )
    const { figure, standardError, interval, reason, cautions } = found
    return {
      n: all.length,
      mean: figure,
      standard_error: standardError,
      interval: interval && { ...interval },
      reason,
      cautions: [...cautions, ...zeroErrorCautions(standardError), ...unsplitCautions(metric, sumsOf(all))],
    }
  }
  return {
    add,
    miss: () => {
      without++
    },
    estimate,
    posterior: () => null,
    repeated: () => [],
    get unscored() {
      return without
    },
    bounds: () => ({ worst: null, best: null }),
    signature: () => sacrebleuSignature(metric, sumsOf([...tasks.values()])),
  }
}

function figureOf(metric: Parameters<typeof createAggregateTally>[0], tasks: readonly TaskSums[]): number | null {
  if (metric.aggregation === 'median') return medianOf(tasks.map(({ values, samples }) => values / samples))
  return aggregateCounts({ ...metric, aggregation: metric.aggregation }, sumsOf(tasks))
}

function sumsOf(tasks: readonly TaskSums[]): Counts {
  const sums: Record<string, number> = {}
  for (const { counts } of tasks) for (const name in counts) sums[name] = (sums[name] ?? 0) + (counts[name] ?? 0)
  return sums
}
