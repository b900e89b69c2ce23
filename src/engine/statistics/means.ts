import { requireSuccesses } from './checks.ts'
import { normalCritical } from './distributions/normal.ts'
import { tCritical } from './distributions/student-t.ts'
import { defined, type Estimate, type Interval, undefinedBecause, unless } from './estimate.ts'
import { mean, type Sample, sumOfSquares, whyUnusable } from './sample.ts'

export interface MeanAndError {
  readonly n: number
  readonly mean: number | null
  /** In the unit of the values. */
  readonly standardError: number | null
  readonly reason: string | null
}

/**
 * Mean and its standard error, sqrt( Σ(s_i - m)² / (n-1) / n ), in the unit of the values.
 *
 * Assumes independent values from one population. One value has a mean but no standard error.
 * Source: Miller 2024 (arXiv 2411.00640), SE_CLT.
 */
export function meanAndStandardError(values: Sample): MeanAndError {
  const n = values.length
  const unusable = whyUnusable(values)
  if (unusable !== null) return { n, mean: null, standardError: null, reason: unusable }
  const reason = n < 2 ? 'A single value has no standard error; at least two are needed.' : null
  return { n, mean: mean(values), standardError: unless(reason, () => Math.sqrt(sumOfSquares(values) / (n - 1) / n)), reason }
}

/** Standard error of a proportion, sqrt(p(1-p)/n). Assumes independent trials of one probability. Source: Miller 2024, Bernoulli case. */
export function bernoulliStandardError(successes: number, trials: number): Estimate {
  requireSuccesses(successes, trials)
  if (trials === 0) return undefinedBecause('There are no trials.')
  const p = successes / trials
  return defined(Math.sqrt((p * (1 - p)) / trials))
}

/**
 * Interval mean ± t(n-1) SE, for the mean of at least two values that are not all equal.
 *
 * Assumes independent values whose mean is close to normal. Source: Student 1908; any statistics text.
 */
export function meanIntervalT(values: Sample, level = 0.95): Estimate<Interval> {
  return around(values, level, 't', () => tCritical(level, values.length - 1))
}

/** Interval mean ± z SE: the large-sample form, too short below a few hundred values. Source: Miller 2024. */
export function meanIntervalNormal(values: Sample, level = 0.95): Estimate<Interval> {
  return around(values, level, 'normal', () => normalCritical(level))
}

function around(values: Sample, level: number, method: string, critical: () => number): Estimate<Interval> {
  const { mean: center, standardError, reason } = meanAndStandardError(values)
  if (center === null || standardError === null) return undefinedBecause(reason ?? '')
  if (standardError === 0) return undefinedBecause(NO_VARIATION)
  return defined(symmetricInterval(center, critical() * standardError, level, method))
}

export const NO_VARIATION = 'All values are equal, so the data say nothing about how far the mean could be off.'

export function symmetricInterval(center: number, halfWidth: number, level: number, method: string): Interval {
  return { low: center - halfWidth, high: center + halfWidth, level, method }
}
