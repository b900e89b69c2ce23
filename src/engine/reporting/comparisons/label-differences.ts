import type { LabelDifference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { estimateShare, isTextRatherThanLabel, sortLabels } from '../results/label-shares.ts'
import type { AlignedPairing } from './align-samples.ts'
import { measurePart, partsOf, pick } from './break-down.ts'
import { clusterTasks } from './cluster-tasks.ts'
import type { MeasureSettings } from './measure-contender.ts'
import { pairColumns } from './paired-values.ts'

type Part = Omit<LabelDifference, 'contender_id' | 'profile_id' | 'metric' | 'metric_title' | 'p_adjusted'>

/** How often each label of a metric was given in a run and in the baseline: over all tasks with a label in both, then by group. */
export function labelDifferences(aligned: AlignedPairing, metricNo: number, run: number, { options, seed }: MeasureSettings): Part[] {
  const ofContender = aligned.runs[run]?.labels[metricNo] ?? []
  const ofBaseline = aligned.runs[0]?.labels[metricNo] ?? []
  const labels = new Set<string>()
  for (const label of [...ofBaseline, ...ofContender]) {
    if (label === null) continue
    labels.add(label)
    if (isTextRatherThanLabel(label, labels)) return []
  }
  const sorted = sortLabels(labels)
  const [first] = sorted
  if (first === undefined) return []
  const given = (column: readonly (string | null)[], label: string) =>
    column.map(one => (one === null ? Number.NaN : Number(one === label)))
  const columns = sorted.map(label => pairColumns(aligned, given(ofContender, label), given(ofBaseline, label)))
  const tags = columns[0]?.tasks.flatMap(task => aligned.tasks[task]?.tags ?? []) ?? []
  const clusters = clusterTasks(tags, options.cluster_by)
  const whole = { dimension: null, value: null, members: [...tags.keys()] }
  return [whole, ...partsOf(tags)].flatMap(({ dimension, value, members }) =>
    columns.map(({ contender, baseline, repeated }, i) => {
      const values = pick({ contender, baseline, binary: !repeated, unit: true, clusters }, members)
      const { baseline_mean: _, contender_mean: __, ...effect } = measurePart(values, options.level, seed)
      const shareOf = (shares: readonly number[]) => estimateShare(shares, { repeated, clusters: values.clusters, level: options.level })
      return {
        dimension,
        value,
        label: sorted[i] ?? '',
        baseline: shareOf(values.baseline),
        contender: shareOf(values.contender),
        ...effect,
      }
    }),
  )
}
