import { type LabelShare, longestLabel } from '../../../contract/runs/results.schemas.ts'
import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import { createMetricTally } from './metric-tally.ts'
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

interface Labeled {
  readonly taskId: string
  readonly cluster: string | undefined
  readonly facets: ResultSample['facets']
  readonly label: string
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
  const labeled: Labeled[] = []
  const labels = new Set<string>()
  const without = new Map<string, number>()
  let isText = false
  const missed = (key: string) => without.set(key, (without.get(key) ?? 0) + 1)
  return {
    add: ({ taskId, facets, status, scores }) => {
      if (isText) return
      const label = status === 'scored' ? (scores[metricNo]?.label ?? null) : null
      if (label !== null) {
        labels.add(label)
        labeled.push({ taskId, cluster: facets[clusterFacet], facets, label })
        isText = label.length > longestLabel || labels.size > mostLabels
        return
      }
      missed(groupKey(null, null))
      for (const [dimension, value] of Object.entries(facets)) missed(groupKey(dimension, value))
    },
    shares: groups => {
      if (isText || labels.size === 0) return []
      const sorted = [...labels].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      const sharesOf = (dimension: string | null, value: string | null, samples: readonly Labeled[]) =>
        sorted.map(label => {
          const tally = createMetricTally(true)
          for (const one of samples) tally.add(one.taskId, Number(one.label === label), one.cluster)
          return {
            profile_id: profileId,
            metric,
            dimension,
            value,
            label,
            samples: samples.filter(one => one.label === label).length,
            without_label: without.get(groupKey(dimension, value)) ?? 0,
            estimate: tally.estimate(),
          }
        })
      return [
        ...sharesOf(null, null, labeled),
        ...groups.flatMap(([dimension, values]) => {
          const byValue = Map.groupBy(labeled, ({ facets }) => facets[dimension])
          return values.flatMap(value => sharesOf(dimension, value, byValue.get(value) ?? []))
        }),
      ]
    },
  }
}

function groupKey(dimension: string | null, value: string | null): string {
  return JSON.stringify([dimension, value])
}
