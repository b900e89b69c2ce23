import { bootstrapMean } from './bootstrap.ts'
import { requireSameLength } from './checks.ts'
import { FEW_CLUSTERS, fewClustersCaution, meanIntervalClustered } from './clusters.ts'
import { differences } from './differences.ts'
import { tTwoSided } from './distributions/student-t.ts'
import type { Interval } from './estimate.ts'
import { mcnemar } from './mcnemar.ts'
import { pairedDifference, pairedDifferenceClustered } from './paired.ts'
import { EXACT_LIMIT, permutationTestExact } from './permutation.ts'
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
  /** `method` is `tango`, `bootstrap_bca`, `paired_t` or `cr1_t`. */
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
 * - Pass/fail: Tango's interval and the exact McNemar test.
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
    return { ...base, interval, p: mcnemar(wins, losses).pExact, test: 'mcnemar_exact', reason }
  }
  const undefinedInterval = paired.intervalT === null ? paired.reason : null
  if (n <= EXACT_LIMIT) {
    return { ...base, interval: paired.intervalT, p: permutationTestExact(d).value, test: 'permutation_exact', reason: undefinedInterval }
  }
  const { bca, reason } = bootstrapMean(d, { seed, level })
  return { ...base, interval: bca, p: paired.pT, test: 'paired_t', reason: undefinedInterval ?? reason }
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
