import { type ClusteredErrors, clusteredStandardErrors } from './clusters.ts'
import { pearsonCorrelation } from './correlations.ts'
import { differences } from './differences.ts'
import { normalCritical, normalTwoSided } from './distributions/normal.ts'
import { tCritical, tTwoSided } from './distributions/student-t.ts'
import type { Interval } from './estimate.ts'
import { requireOpenUnit } from './checks.ts'
import { meanAndStandardError, symmetricInterval } from './means.ts'
import { type Sample, varies, whyUnusable } from './sample.ts'

export interface PairedDifference {
  readonly n: number
  /** mean(a) - mean(b), in the unit of the values. */
  readonly difference: number | null
  readonly standardError: number | null
  /** Pearson correlation of a and b; null also where one of them does not vary, which spoils nothing else. */
  readonly correlation: number | null
  readonly intervalT: Interval | null
  readonly intervalNormal: Interval | null
  readonly t: number | null
  /** Two-sided, t with n-1 degrees of freedom. */
  readonly pT: number | null
  /** Two-sided, normal. */
  readonly pNormal: number | null
  readonly reason: string | null
}

const NO_DIFFERENCE_VARIES = 'All differences are equal, so the data say nothing about how far their mean could be off.'

/**
 * Difference of the means of two lists of scores of the same questions: d_i = a_i - b_i, SE = sd(d)/sqrt(n), t = mean(d)/SE.
 *
 * Assumes independent questions and a mean difference close to normal. Swapping a and b changes signs only.
 * Source: Student's paired t test; Miller 2024 (arXiv 2411.00640), section on paired differences.
 */
export function pairedDifference(a: Sample, b: Sample, level = 0.95): PairedDifference {
  requireOpenUnit('level', level)
  const d = differences(a, b)
  const n = d.length
  const { mean: difference, standardError, reason: missing } = meanAndStandardError(d)
  const base = { n, difference, standardError, correlation: correlation(a, b) }
  if (difference === null || standardError === null || standardError === 0) {
    const reason = missing ?? NO_DIFFERENCE_VARIES
    return { ...base, intervalT: null, intervalNormal: null, t: null, pT: null, pNormal: null, reason }
  }
  const t = difference / standardError
  return {
    ...base,
    intervalT: symmetricInterval(difference, tCritical(level, n - 1) * standardError, level, 'paired_t'),
    intervalNormal: symmetricInterval(difference, normalCritical(level) * standardError, level, 'paired_normal'),
    t,
    pT: tTwoSided(t, n - 1),
    pNormal: normalTwoSided(t),
    reason: base.correlation === null ? 'One of the two lists does not vary, so they have no correlation.' : null,
  }
}

function correlation(a: Sample, b: Sample): number | null {
  const usable = whyUnusable(a) === null && whyUnusable(b) === null
  return usable && varies(a) && varies(b) ? pearsonCorrelation(a, b) : null
}

/**
 * Clustered standard errors of the mean of d_i = a_i - b_i for questions that come in clusters: `clusteredStandardErrors` of d.
 * Source: Miller 2024, clustered paired differences.
 */
export function pairedDifferenceClustered(a: Sample, b: Sample, clusters: readonly string[]): ClusteredErrors {
  return clusteredStandardErrors(differences(a, b), clusters)
}
