import { bootstrapMean } from './bootstrap.ts'
import { requireSameLength } from './checks.ts'
import { FEW_CLUSTERS, fewClustersCaution, meanIntervalClustered } from './clusters.ts'
import { differences } from './differences.ts'
import { tTwoSided } from './distributions/student-t.ts'
import type { Interval } from './estimate.ts'
import { mcnemar } from './mcnemar.ts'
import { pairedDifference, pairedDifferenceClustered } from './paired.ts'
import { EXACT_LIMIT, permutationTestExact } from './permutation.ts'
import { clopperPearsonInterval } from './proportions.ts'
import { type Sample, whyNotBinary, whyUnusable } from './sample.ts'
import { tangoInterval } from './tango.ts'

export interface ComparisonOptions {
  /** Every value is 0 or 1. */
  readonly binary?: boolean
  /** The cluster of each question, in the order of the values. */
  readonly clusters?: readonly string[]
  readonly level?: number
  /** For the bootstrap: same seed, same interval. */
  readonly seed: number
}

export interface PairedComparison {
  readonly n: number
  /** Questions on which the first model scored higher, lower, and the same. */
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** mean(first) - mean(second), in the unit of the values. */
  readonly difference: number | null
  readonly standardError: number | null
  /** `method` is `tango`, `bootstrap_bca`, `paired_t` or `cr1_t`; `mcnemar_exact` where Tango's would contradict the exact test. */
  readonly interval: Interval | null
  /** Two-sided, not adjusted for other comparisons: see `adjustPValues`. */
  readonly p: number | null
  readonly test: 'mcnemar_exact' | 'permutation_exact' | 'paired_t' | 'cr1_t'
  readonly reason: string | null
  readonly cautions: string[]
}

/**
 * Two models on the same questions, one value per question (average epochs first, see `meansByKey`).
 *
 * - Clustered questions: mean difference ± t(C-1) CR1 and its t test.
 * - Pass/fail: Tango's interval and the exact McNemar test; where the interval leaves out 0 and the test rejects nothing, it is
 *   widened by the interval that belongs to the test.
 * - Scores: BCa bootstrap interval and paired t test; up to 20 questions the t interval and the exact permutation test.
 *
 * Swapping the models turns the sign of everything and leaves p. Source of the policy: Miller 2024 (arXiv 2411.00640).
 */
export function comparePaired(first: Sample, second: Sample, options: ComparisonOptions): PairedComparison {
  const { binary = false, clusters, level = 0.95, seed } = options
  requireSameLength('first', first, 'second', second)
  if (clusters) requireSameLength('first', first, 'clusters', clusters)
  const d = differences(first, second)
  const n = d.length
  const wins = d.filter(difference => difference > 0).length
  const losses = d.filter(difference => difference < 0).length
  const counts = { n, wins, losses, ties: n - wins - losses }
  const unusable = whyUnusable(d, 'difference') ?? (binary ? (whyNotBinary(first) ?? whyNotBinary(second)) : null)
  if (unusable !== null) {
    return { ...counts, difference: null, standardError: null, interval: null, p: null, test: 'paired_t', reason: unusable, cautions: [] }
  }
  if (clusters) return { ...counts, ...compareClustered(first, second, clusters, level) }
  const paired = pairedDifference(first, second, level)
  const base = { ...counts, difference: paired.difference, standardError: paired.standardError, cautions: [] }
  if (binary) {
    const interval = tangoInterval({ onlyNew: wins, onlyOld: losses, n }, level).value
    const reason = paired.standardError === null ? paired.reason : null
    const p = mcnemar(wins, losses).pExact
    const shown = interval && contradicts(p, interval, level) ? widened(interval, wins, losses, n) : interval
    return { ...base, interval: shown, p, test: 'mcnemar_exact', reason }
  }
  const undefinedInterval = paired.intervalT === null ? paired.reason : null
  if (n <= EXACT_LIMIT) {
    return { ...base, interval: paired.intervalT, p: permutationTestExact(d).value, test: 'permutation_exact', reason: undefinedInterval }
  }
  const { bca, reason } = bootstrapMean(d, { seed, level })
  const interval = contradicts(paired.pT, bca, level) ? paired.intervalT : bca
  return { ...base, interval, p: paired.pT, test: 'paired_t', reason: undefinedInterval ?? reason }
}

/** Whether an interval leaves out 0 although its test rejects nothing: on the margin two good methods can differ. */
function contradicts(p: number | null, interval: Interval | null, level: number): boolean {
  // 1 - 0.95 is a hair above 0.05 in binary.
  return p !== null && interval !== null && p > Number((1 - level).toFixed(12)) && (interval.low > 0 || interval.high < 0)
}

/**
 * Tango's interval, widened by the exact test's own: Clopper-Pearson for the share of wins among the questions that only one model
 * passed, turned into a difference. The latter takes in 0 wherever the exact McNemar test does not reject; alone it would end at the
 * estimate where all of those questions went to one model, since it takes their number for fixed. Source of the share's interval:
 * Armitage & Berry 1994, matched pairs.
 */
function widened(tango: Interval, wins: number, losses: number, n: number): Interval {
  const share = clopperPearsonInterval(wins, wins + losses, tango.level).value
  const difference = (of: number): number => ((2 * of - 1) * (wins + losses)) / n
  if (share === null) return tango
  return {
    low: Math.min(tango.low, difference(share.low)),
    high: Math.max(tango.high, difference(share.high)),
    level: tango.level,
    method: 'mcnemar_exact',
  }
}

function compareClustered(first: Sample, second: Sample, clusters: readonly string[], level: number): Omit<PairedComparison, keyof Counts> {
  const { mean: difference, cr1: standardError, clusters: count } = pairedDifferenceClustered(first, second, clusters)
  const { value: interval, reason } = meanIntervalClustered(differences(first, second), clusters, level)
  const p = difference !== null && standardError !== null && interval !== null ? tTwoSided(difference / standardError, count - 1) : null
  return {
    difference,
    standardError,
    interval,
    p,
    test: 'cr1_t',
    reason,
    cautions: count < FEW_CLUSTERS ? [fewClustersCaution(count)] : [],
  }
}

type Counts = Pick<PairedComparison, 'n' | 'wins' | 'losses' | 'ties'>
