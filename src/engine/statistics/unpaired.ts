import { requireOpenUnit } from './checks.ts'
import { tCritical, tTwoSided } from './distributions/student-t.ts'
import type { Interval } from './estimate.ts'
import { symmetricInterval } from './means.ts'
import { mean, type Sample, variance, whyUnusable } from './sample.ts'

export interface UnpairedDifference {
  /** mean(a) - mean(b), in the unit of the values. */
  readonly difference: number | null
  /** sqrt(SEa² + SEb²). */
  readonly standardError: number | null
  /** Welch-Satterthwaite degrees of freedom; need not be whole. */
  readonly degreesOfFreedom: number | null
  /** Two-sided Welch p-value. */
  readonly p: number | null
  readonly interval: Interval | null
  readonly reason: string | null
}

/**
 * Difference of the means of two independent lists of scores (different questions): Welch's t test and interval.
 *
 * Assumes independent values within and between the lists. For the same questions use `pairedDifference`, which is sharper.
 * Source: Welch 1947; Miller 2024 (arXiv 2411.00640) for SE = sqrt(SEa² + SEb²).
 */
export function unpairedDifference(a: Sample, b: Sample, level = 0.95): UnpairedDifference {
  requireOpenUnit('level', level)
  const undefinedTest = { degreesOfFreedom: null, p: null, interval: null }
  const unusable = whyUnusable(a, 'value of a') ?? whyUnusable(b, 'value of b')
  if (unusable !== null) return { difference: null, standardError: null, ...undefinedTest, reason: unusable }
  const difference = mean(a) - mean(b)
  if (a.length < 2 || b.length < 2) {
    const reason = 'A list of a single value has no standard error; both need at least two.'
    return { difference, standardError: null, ...undefinedTest, reason }
  }
  const shareA = variance(a) / a.length
  const shareB = variance(b) / b.length
  const standardError = Math.sqrt(shareA + shareB)
  if (standardError === 0) {
    const reason = 'Neither list varies, so the data say nothing about how far the difference could be off.'
    return { difference, standardError, ...undefinedTest, reason }
  }
  // in shares of the total, so that tiny variances do not underflow when squared
  const [partA, partB] = [shareA / (shareA + shareB), shareB / (shareA + shareB)]
  const degreesOfFreedom = 1 / (partA ** 2 / (a.length - 1) + partB ** 2 / (b.length - 1))
  return {
    difference,
    standardError,
    degreesOfFreedom,
    p: tTwoSided(difference / standardError, degreesOfFreedom),
    interval: symmetricInterval(difference, tCritical(level, degreesOfFreedom) * standardError, level, 'welch_t'),
    reason: null,
  }
}
