import type { Difference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { mcnemarDetectableDifference } from '../../../lib/mcnemar-power.ts'
import { comparePaired, type PairedComparison } from '../../statistics/compare.ts'
import { differences } from '../../statistics/differences.ts'
import { normalQuantile } from '../../statistics/distributions/normal.ts'
import type { Interval } from '../../statistics/estimate.ts'
import { pairedFigure } from '../../statistics/paired-figure.ts'
import { comparisonDetectableEffect } from '../../statistics/sample-size.ts'
import { mean } from '../../statistics/sample.ts'
import { type FigureOf, unitsOf } from './task-figures.ts'

/** Two runs on the same tasks, one value per task. */
export interface TaskValues {
  readonly contender: readonly number[]
  readonly baseline: readonly number[]
  /** Whether every value is 0 or 1. */
  readonly binary: boolean
  /** Whether every value is between 0 and 1, so that an interval of a difference ends at -1 and 1. */
  readonly unit?: boolean
  /** Cluster of each task; null where tasks are independent. */
  readonly clusters: readonly string[] | null
  /** The runs' own figures of any of the tasks, where those are not means of the values. */
  readonly figures?: { readonly contender: FigureOf; readonly baseline: FigureOf } | undefined
  /** Which figure of the values those of the runs are, where they are not means. */
  readonly figure?: string | undefined
  /** What a reader must know of the values themselves. */
  readonly caution?: string | undefined
}

/** What a difference says before it is seen among the others of its comparison. */
export type MeasuredDifference = Omit<
  Difference,
  | 'contender_id'
  | 'profile_id'
  | 'title'
  | 'metric'
  | 'metric_title'
  | 'primary'
  | 'headline'
  | 'tested'
  | 'copy_of'
  | 'p_adjusted'
  | 'verdict'
  | 'clustered_by'
  | 'posterior'
  | 'agreement'
>

const power = 0.8

/** Resamples of a difference of figures: enough for a p below 0.005 where ten differences are tested. */
const replicates = 2_000

/** Two runs on the same tasks, by their means or by their own figures. */
export type Compared = Omit<PairedComparison, 'test'> & {
  readonly test: NonNullable<Difference['test']>
  readonly means: Pick<Difference, 'baseline_mean' | 'contender_mean'>
  /** Of the bootstrap; other tests have theirs computed apart. */
  readonly oneSided?: NonNullable<Difference['one_sided']>
}

export function compareTasks(values: TaskValues, level: number, seed: number, draws = replicates): Compared {
  const { contender, baseline, binary, clusters, figures } = values
  const n = contender.length
  if (figures && n > 0) return compareByFigures(values, figures, level, seed, draws)
  const compared = comparePaired(contender, baseline, { binary, level, seed, ...(clusters ? { clusters } : {}) })
  return {
    ...compared,
    interval: within(compared.interval, values),
    means: { baseline_mean: n === 0 ? null : mean(baseline), contender_mean: n === 0 ? null : mean(contender) },
  }
}

/** An interval of a difference, ended where the values let none be. */
export function within(interval: Interval | null, { unit }: Pick<TaskValues, 'unit'>): Interval | null {
  return unit && interval ? { ...interval, low: Math.max(-1, interval.low), high: Math.min(1, interval.high) } : interval
}

/** Wins and losses are those of each task's own score. */
function compareByFigures(
  values: TaskValues,
  figures: NonNullable<TaskValues['figures']>,
  level: number,
  seed: number,
  draws: number,
): Compared {
  const { contender, baseline } = values
  const gaps = differences(contender, baseline)
  const wins = gaps.filter(gap => gap > 0).length
  const losses = gaps.filter(gap => gap < 0).length
  const all = contender.map((_, i) => i)
  const { better, worse, cautions, ...found } = compareFigures(values, figures, level, seed, draws)
  return {
    n: gaps.length,
    wins,
    losses,
    ties: gaps.length - wins - losses,
    ...found,
    test: 'paired_bootstrap',
    ...(better !== null && worse !== null && { oneSided: { p_better: better, p_worse: worse } }),
    means: { baseline_mean: figures.baseline(all), contender_mean: figures.contender(all) },
    cautions: [...cautions],
  }
}

/** Of the difference of the runs' own figures, with tasks of a cluster drawn together. */
function compareFigures(
  { contender, clusters }: TaskValues,
  figures: NonNullable<TaskValues['figures']>,
  level: number,
  seed: number,
  draws: number,
) {
  const { units, tasksOf } = unitsOf(contender.length, clusters)
  const differenceOf = (drawn: readonly number[]) => {
    const tasks = tasksOf(drawn)
    const [first, second] = [figures.contender(tasks), figures.baseline(tasks)]
    return first === null || second === null ? null : first - second
  }
  return pairedFigure(units, differenceOf, { level, seed, replicates: draws })
}

/** Paired difference, contender minus baseline, with everything that it must not be shown without. */
export function measureDifference(values: TaskValues, level: number, seed: number): MeasuredDifference {
  const { binary, clusters } = values
  const compared = compareTasks(values, level, seed)
  const { n, standardError } = compared
  return {
    n,
    ...compared.means,
    ...(compared.oneSided && { one_sided: compared.oneSided }),
    difference: compared.difference,
    standard_error: standardError,
    interval: compared.interval && { ...compared.interval },
    test: compared.p === null ? null : compared.test,
    p: compared.p,
    wins: compared.wins,
    losses: compared.losses,
    ties: compared.ties,
    reason: compared.reason,
    passes: binary ? countPasses(values) : null,
    minimum_detectable_difference: detectable(compared, level),
    clusters: clusters ? new Set(clusters).size : null,
    cautions: [...(values.caution === undefined ? [] : [values.caution]), ...compared.cautions],
  }
}

export function countPasses({ contender, baseline }: TaskValues): NonNullable<Difference['passes']> {
  const passes = { both: 0, neither: 0, only_baseline: 0, only_contender: 0 }
  for (const [i, value] of contender.entries()) {
    if (value === baseline[i]) passes[value === 1 ? 'both' : 'neither']++
    else passes[value === 1 ? 'only_contender' : 'only_baseline']++
  }
  return passes
}

/**
 * Of the exact McNemar test by the share of discordant tasks that was observed, also where there were none; of other tests by the observed variance of the differences,
 * SE² n, in which epochs and clusters are contained.
 */
function detectable({ test, standardError, n, wins, losses }: Compared, level: number): number | null {
  if (standardError === null) return null
  if (test === 'mcnemar_exact') {
    return mcnemarDetectableDifference(n, () => (wins + losses) / n, { level: { alpha: 1 - level, z: normalQuantile((1 + level) / 2) } })
  }
  const variances = { omega2: standardError ** 2 * n, sigma2A: 0, sigma2B: 0, answersA: 1, answersB: 1 }
  return comparisonDetectableEffect(variances, n, { alpha: 1 - level, power }).value
}
