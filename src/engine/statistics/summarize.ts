import { requireOpenUnit, requireSameLength } from './checks.ts'
import { clusteredWilsonInterval, sharesWilsonInterval } from './clustered-proportion.ts'
import { clusteredStandardErrors, FEW_CLUSTERS, fewClustersCaution, meanIntervalClustered } from './clusters.ts'
import type { Interval } from './estimate.ts'
import { meanAndStandardError, meanIntervalT } from './means.ts'
import { wilsonInterval } from './proportions.ts'
import { type Sample, sum, whyNotBinary, whyUnusable } from './sample.ts'

/** Below this many values a t interval leans on the values themselves being close to normal. */
const FEW_VALUES = 30

export interface MetricSummary {
  /** Number of values. */
  n: number
  /** In the unit of the values; null when there are none. */
  mean: number | null
  /** In the unit of the values; null for fewer than two values or clusters. */
  standardError: number | null
  /** `method` is `wilson`, `t`, `cr1_t`, `wilson_cr1` or `wilson_clusters`. */
  interval: Interval | null
  /** Why something above is null; null when nothing is. */
  reason: string | null
  /** Sentences for the reader: what to keep in mind with these figures. */
  cautions: string[]
}

export interface SummaryOptions {
  /** Every value is 0 or 1: the mean is a proportion. */
  binary?: boolean
  /** Every value is the share of a question's epochs that passed: the mean is a proportion, too. */
  shares?: boolean
  /** The cluster of each value, in the order of the values (questions on one text, epochs of one question). */
  clusters?: readonly string[]
  /** Nominal coverage of the interval, strictly between 0 and 1; 0.95 unless given. */
  level?: number
}

/**
 * Mean, standard error and interval of one metric of a run.
 *
 * - A proportion of independent answers: Wilson interval, standard error sqrt(p(1-p)/(n-1)), as Inspect, lm-evaluation-harness and
 *   AlpacaEval report it.
 * - A proportion from several epochs of each question, given as each question's share: the Wilson interval of the effective sample size
 *   with t(n-1), so that it stays within 0 and 1 and exists where all are right or all wrong.
 * - A mean of independent scores: t interval, standard error sd/sqrt(n).
 * - Clustered scores: CR1 standard error and t(C-1) interval; a clustered proportion: CR1 standard error and the Wilson interval
 *   of the effective sample size with t(C-1) (see `clusteredWilsonInterval`). Fewer than 20 clusters add a caution.
 *
 * Values are one per question (average epochs first, see `meansByKey`) unless the question is the cluster.
 * Source of the policy: Miller 2024 (arXiv 2411.00640); Bowyer et al. 2025 (arXiv 2503.01747) for small samples.
 */
export function summarizeMetric(values: Sample, options: SummaryOptions = {}): MetricSummary {
  const { binary = false, shares = false, clusters, level = 0.95 } = options
  requireOpenUnit('level', level)
  if (clusters) requireSameLength('values', values, 'clusters', clusters)
  const n = values.length
  const unusable = whyUnusable(values) ?? (binary ? whyNotBinary(values) : null)
  if (unusable !== null) return { n, mean: null, standardError: null, interval: null, reason: unusable, cautions: [] }
  if (clusters) return summarizeClusters(values, clusters, binary || shares, level)
  if (shares) return summarizeShares(values, level)
  return binary ? summarizeProportion(values, level) : summarizeScores(values, level)
}

function summarizeShares(values: Sample, level: number): MetricSummary {
  const { mean, standardError, reason } = meanAndStandardError(values)
  const interval = sharesWilsonInterval(values, level).value
  return { n: values.length, mean, standardError, interval, reason, cautions: zeroErrorCautions(standardError) }
}

function summarizeProportion(values: Sample, level: number): MetricSummary {
  const n = values.length
  const successes = sum(values)
  const { mean, standardError, reason } = meanAndStandardError(values)
  const interval = wilsonInterval(successes, n, level).value
  return { n, mean, standardError, interval, reason, cautions: zeroErrorCautions(standardError) }
}

function summarizeScores(values: Sample, level: number): MetricSummary {
  const n = values.length
  const { mean, standardError } = meanAndStandardError(values)
  const { value: interval, reason } = meanIntervalT(values, level)
  const cautions = zeroErrorCautions(standardError)
  if (interval !== null && n < FEW_VALUES) {
    cautions.push(`Only ${n} values: the t interval assumes that the mean of so few is close to normal.`)
  }
  return { n, mean, standardError, interval, reason, cautions }
}

function summarizeClusters(values: Sample, clusters: readonly string[], binary: boolean, level: number): MetricSummary {
  const n = values.length
  const { mean, cr1: standardError, clusters: count, reason } = clusteredStandardErrors(values, clusters)
  const cautions = zeroErrorCautions(standardError)
  if (count < FEW_CLUSTERS) cautions.push(fewClustersCaution(count))
  const interval = binary ? clusteredWilsonInterval(values, clusters, level) : meanIntervalClustered(values, clusters, level)
  if (interval.value?.method === 'wilson_clusters') {
    cautions.push('All outcomes are equal, so the interval counts each cluster as one trial.')
  }
  return { n, mean, standardError, interval: interval.value, reason: reason ?? interval.reason, cautions }
}

export function zeroErrorCautions(standardError: number | null): string[] {
  return standardError === 0 ? ['A standard error of 0 says only that the observed values do not differ; it is not certainty.'] : []
}
