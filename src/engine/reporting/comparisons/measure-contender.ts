import { profileName } from '../../../lib/format/benchmark-names.ts'
import type { ComparisonOptions, DifferenceBreakdown, LabelDifference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { differences as gapsOf } from '../../statistics/differences.ts'
import type { AlignedPairing } from './align-samples.ts'
import { changeOf } from './aligned-tasks.ts'
import { breakDown } from './break-down.ts'
import { clusterTasks } from './cluster-tasks.ts'
import type { Unjudged } from './judge-differences.ts'
import { labelDifferences } from './label-differences.ts'
import type { TaskValues } from './measure-difference.ts'
import { pairedRows, type PairedValues, pairValues } from './paired-values.ts'
import { figureOfTasks } from './task-figures.ts'

export interface MeasureSettings {
  readonly options: ComparisonOptions
  readonly seed: number
}

export interface MeasuredContender {
  readonly differences: readonly Unjudged[]
  readonly breakdowns: readonly Omit<DifferenceBreakdown, 'p_adjusted'>[]
  readonly labels: readonly Omit<LabelDifference, 'p_adjusted'>[]
  /** By pairing: what became of each of its tasks. */
  readonly changes: readonly Uint8Array[]
}

/** One contender against the baseline: every metric of every profile, all profiles together where there are several, and the parts. */
export function measureContender(
  pairings: readonly AlignedPairing[],
  run: number,
  contenderId: string,
  settings: MeasureSettings,
): MeasuredContender {
  const { options, seed } = settings
  const differences: Unjudged[] = []
  const breakdowns: Omit<DifferenceBreakdown, 'p_adjusted'>[] = []
  const labels: Omit<LabelDifference, 'p_adjusted'>[] = []
  const primaries: TaskValues[] = []
  const changes = pairings.map(aligned => {
    const { profile, metrics, primary } = aligned.pairing
    let changed = new Uint8Array(aligned.tasks.length).fill(changeOf(null, 0))
    for (const [no, { metric, numbers, binary: isBinary, unit }] of metrics.entries()) {
      if (numbers[run] == null) continue
      const paired = pairValues(aligned, no, run)
      const ownTags = paired.tasks.flatMap(task => aligned.tasks[task]?.tags ?? [])
      const values: TaskValues = {
        contender: paired.contender,
        baseline: paired.baseline,
        binary: isBinary && !paired.repeated,
        unit,
        clusters: clusterTasks(ownTags, options.cluster_by),
        ...figuresOrCaution(aligned, no, run, paired),
      }
      const original = differences.find(({ facts, values: other }) => facts.profile_id === profile.profile_id && sameValues(other, values))
      differences.push({
        facts: {
          contender_id: contenderId,
          profile_id: profile.profile_id,
          title: profileName(profile),
          metric: metric.id,
          metric_title: metric.title,
          primary: metric.primary,
          headline: false,
          clustered_by: values.clusters && options.cluster_by,
          tested: options.tested_metrics.includes(metric.id),
          copy_of: original?.facts.metric ?? null,
        },
        values,
      })
      const part = { contender_id: contenderId, profile_id: profile.profile_id, metric: metric.id }
      labels.push(...labelDifferences(aligned, no, run, settings).map(found => ({ ...part, metric_title: metric.title, ...found })))
      if (no !== primary) continue
      primaries.push(values)
      changed = changesOf(aligned.tasks.length, paired)
      breakdowns.push(...breakDown(values, ownTags, options.level, seed).map(found => ({ ...part, ...found })))
    }
    return changed
  })
  if (primaries.length > 1) {
    const pooled = pool(primaries)
    differences.unshift({
      facts: {
        contender_id: contenderId,
        profile_id: null,
        title: 'All profiles together',
        metric: null,
        metric_title: 'Primary metric of each',
        primary: true,
        headline: false,
        clustered_by: pooled.clusters && options.cluster_by,
        tested: false,
        copy_of: null,
      },
      values: pooled,
    })
  }
  const headline = differences.find(({ facts }) => facts.profile_id === null || (facts.primary && primaries.length === 1))
  return { differences: differences.map(difference => chosen(difference, difference === headline, headline)), breakdowns, labels, changes }
}

/** How the runs' own figures are compared where those are not means; what to know where that cannot be done. */
function figuresOrCaution(
  aligned: AlignedPairing,
  metricNo: number,
  run: number,
  { tasks }: PairedValues,
): Pick<TaskValues, 'figures' | 'figure' | 'caution'> {
  const metric = aligned.pairing.metrics[metricNo]?.metric
  if (!metric?.aggregation) return {}
  const ownRows = pairedRows(aligned, metricNo, run, tasks)
  const [contender, baseline] = [run, 0].map(no => figureOfTasks(aligned, metricNo, no, ownRows))
  const figure = JSON.stringify([metric.aggregation, metric.options])
  if (contender && baseline) return { figures: { contender, baseline }, figure }
  return {
    figure,
    caution: `${metric.title}: compared by the mean of each task’s own score, since some scores were made before what a run’s figure is computed from was kept. Regrade both runs to compare their figures.`,
  }
}

/** The headline is always tested, a copy of another metric never: it would count one test twice. */
function chosen({ facts, values }: Unjudged, isHeadline: boolean, headline: Unjudged | undefined): Unjudged {
  const copiesHeadline =
    !isHeadline && headline !== undefined && headline.facts.profile_id === facts.profile_id && sameValues(headline.values, values)
  const copy = isHeadline ? null : copiesHeadline ? headline.facts.metric : facts.copy_of
  return { facts: { ...facts, headline: isHeadline, copy_of: copy, tested: isHeadline || (facts.tested && copy === null) }, values }
}

function sameValues(a: TaskValues, b: TaskValues): boolean {
  const same = (some: readonly number[], others: readonly number[]) =>
    some.length === others.length && some.every((value, i) => value === others[i])
  return a.figure === b.figure && same(a.contender, b.contender) && same(a.baseline, b.baseline)
}

function changesOf(count: number, { tasks, contender, baseline }: PairedValues): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(count).fill(changeOf(null, 0))
  const gaps = gapsOf(contender, baseline)
  for (const [i, task] of tasks.entries()) changed[task] = changeOf(gaps[i] ?? null, baseline[i] ?? 0)
  return changed
}

/** All tasks in one list, by their own scores; clusters of two profiles are never the same. */
export function pool(parts: readonly TaskValues[]): TaskValues {
  const clustered = parts.some(({ clusters }) => clusters)
  return {
    contender: parts.flatMap(({ contender }) => contender),
    baseline: parts.flatMap(({ baseline }) => baseline),
    binary: parts.every(({ binary }) => binary),
    unit: parts.every(({ unit }) => unit),
    clusters: clustered
      ? parts.flatMap(({ contender, clusters }, no) => contender.map((_, i) => `${no}:${clusters ? clusters[i] : i}`))
      : null,
    ...(parts.some(({ figure }) => figure !== undefined) && {
      caution:
        'Where a profile’s figure is computed from all of its tasks together, such as corpus BLEU, each task’s own score counts here.',
    }),
  }
}
