import { type Estimate, type LabelShare, longestLabel } from '../../../contract/runs/results.schemas.ts'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { summarizeMetric } from '../../statistics/summarize.ts'
import { clusterTasks } from '../comparisons/cluster-tasks.ts'
import type { ResultSample } from './result-sample.ts'

/** A menu of verdicts is not longer; with more, labels are texts of their own. */
const mostLabels = 30

/** Groups by dimension, and how many samples each has. */
type Groups = readonly (readonly [dimension: string, values: readonly string[]])[]

export interface LabelTally {
  add(sample: ResultSample): void
  /** Overall, then by group; none where the metric gives no labels. */
  shares(groups: Groups): LabelShare[]
}

interface LabeledMetric {
  readonly profileId: string
  readonly metric: string
  readonly metricNo: number
  readonly clusterFacet: string
}

/** A task with the labels of its epochs, which count once. */
interface LabeledTask {
  readonly taskId: string
  readonly facets: ResultSample['facets']
  readonly counts: Map<string, number>
  epochs: number
}

/** Whether verdicts of a metric are words of a judge, a person or a program; those of scorers repeat their value. */
export function givesLabels({ evaluator, scorer }: Metric): boolean {
  return evaluator !== undefined || scorer === 'assay/recorded_score'
}

/**
 * Counts the labels of one metric's verdicts.
 * @param clusterFacet whose equal values mark dependent tasks
 */
export function createLabelTally({ profileId, metric, metricNo, clusterFacet }: LabeledMetric): LabelTally {
  const tasks: LabeledTask[] = []
  const labels = new Set<string>()
  const without = new Map<string, number>()
  let isText = false
  const missed = (key: string) => without.set(key, (without.get(key) ?? 0) + 1)
  return {
    add: ({ taskId, facets, status, scores }) => {
      if (isText) return
      const label = status === 'scored' ? (scores[metricNo]?.label ?? null) : null
      if (label !== null) {
        let task = tasks.at(-1)
        if (task?.taskId !== taskId) tasks.push((task = { taskId, facets, counts: new Map(), epochs: 0 }))
        task.counts.set(label, (task.counts.get(label) ?? 0) + 1)
        task.epochs++
        labels.add(label)
        isText = isTextRatherThanLabel(label, labels)
        return
      }
      missed(groupKey(null, null))
      for (const [dimension, value] of Object.entries(facets)) missed(groupKey(dimension, value))
    },
    shares: groups => {
      if (isText || labels.size === 0) return []
      const sorted = sortLabels(labels)
      const sharesOf = (dimension: string | null, value: string | null, of: readonly LabeledTask[]) => {
        const clusters = clusterTasks(of, clusterFacet)
        const repeated = of.some(({ epochs }) => epochs > 1)
        return sorted.map(label => ({
          profile_id: profileId,
          metric,
          dimension,
          value,
          label,
          samples: of.reduce((sum, { counts }) => sum + (counts.get(label) ?? 0), 0),
          without_label: without.get(groupKey(dimension, value)) ?? 0,
          estimate: estimateShare(
            of.map(({ counts, epochs }) => (counts.get(label) ?? 0) / epochs),
            { repeated, clusters },
          ),
        }))
      }
      return [
        ...sharesOf(null, null, tasks),
        ...groups.flatMap(([dimension, values]) => {
          const byValue = Map.groupBy(tasks, ({ facets }) => facets[dimension])
          return values.flatMap(value => sharesOf(dimension, value, byValue.get(value) ?? []))
        }),
      ]
    },
  }
}

/** Whether what a metric gives are texts of its own for each answer, by the newest label and all so far. */
export function isTextRatherThanLabel(label: string, labels: ReadonlySet<string>): boolean {
  return label.length > longestLabel || labels.size > mostLabels
}

export function sortLabels(labels: Iterable<string>): string[] {
  return [...labels].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** A share of tasks, from each task's share of its epochs. @param by.clusters null where the tasks are independent */
export function estimateShare(
  shares: readonly number[],
  { repeated, clusters, level }: { readonly repeated: boolean; readonly clusters: readonly string[] | null; readonly level?: number },
): Estimate {
  const { standardError, interval, cautions, ...found } = summarizeMetric(shares, {
    binary: !repeated,
    shares: repeated,
    ...(clusters && { clusters }),
    ...(level !== undefined && { level }),
  })
  const within = interval && { ...interval, low: Math.max(0, interval.low), high: Math.min(1, interval.high) }
  return { ...found, standard_error: standardError, interval: within, cautions: [...cautions] }
}

function groupKey(dimension: string | null, value: string | null): string {
  return JSON.stringify([dimension, value])
}
