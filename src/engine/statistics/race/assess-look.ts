import { clusteredStandardErrors } from '../clusters.ts'
import { tToNormal } from '../distributions/student-t.ts'
import { mean, varies } from '../sample.ts'
import { tangoStatistic } from '../tango.ts'

/** Scores of two arms on the same cases, in one order; null: the call failed or the grader gave no score. */
export interface PairedOutcomes {
  readonly candidate: readonly (number | null)[]
  readonly current: readonly (number | null)[]
  /** One name a case; null where cases are independent. */
  readonly clusters: readonly string[] | null
}

export interface Assessment {
  readonly n: number
  /** Cases or, where they are clustered, clusters: what is independent. */
  readonly units: number
  /** Mean of candidate - current with every missing score counted against the candidate: 0 for it, 1 for the current. */
  readonly difference: number
  readonly standardError: number
  /** Factor of the variance of pass/fail scores by their clusters, 1 without clusters; null for other scores. */
  readonly designEffect: number | null
  /** Statistic of "worse by the margin or more": standard normal at its border, larger the less it holds. */
  readonly z: number
  readonly method: 'tango' | 'paired' | 'cr1'
  /** Cases without a score, of each arm. */
  readonly missing: { readonly candidate: number; readonly current: number }
}

/**
 * The statistic of one candidate at one look: Tango's at -margin for pass/fail, (d + margin)/SE for other scores.
 *
 * Where cases are clustered, Tango's is divided by the square root of the design effect, SE is CR1, and Student's t with one degree of
 * freedom less than clusters takes the place of the normal: without them 25 to 50 clusters accepted up to 12 % at an error of 5 %.
 * Missing scores count against the candidate, so that failing is never cheaper than answering. Scores lie in [0, 1].
 * Source: Tango 1998; Liang & Zeger 1986; Rao & Scott 1992.
 */
export function assessLook({ candidate, current, clusters }: PairedOutcomes, margin: number): Assessment {
  const n = candidate.length
  const mine = candidate.map(value => value ?? 0)
  const theirs = current.map(value => value ?? 1)
  const differences = mine.map((value, i) => value - (theirs[i] ?? 1))
  const missing = { candidate: n - present(candidate), current: n - present(current) }
  const difference = mean(differences)
  const plainError = varies(differences) ? Math.sqrt(variance(differences, difference) / n) : 0
  const units = clusters === null ? n : new Set(clusters).size
  const standardError = clusters === null ? plainError : (clusteredStandardErrors(differences, clusters).cr1 ?? 0)
  const isBinary = [...mine, ...theirs].every(value => value === 0 || value === 1)
  const designEffect = !isBinary ? null : clusters === null ? 1 : effectOf(standardError, plainError, n / units)
  const onlyNew = differences.filter(d => d > 0).length
  const onlyOld = differences.filter(d => d < 0).length
  const statistic =
    designEffect === null
      ? ratio(difference + margin, standardError, units, margin)
      : tangoStatistic({ onlyNew, onlyOld, n }, -margin) / Math.sqrt(designEffect)
  const assessed = { n, units, difference, standardError, designEffect, missing }
  if (clusters === null) return { ...assessed, z: statistic, method: isBinary ? 'tango' : 'paired' }
  return { ...assessed, z: units < 2 ? Number.NEGATIVE_INFINITY : tToNormal(statistic, units - 1), method: 'cr1' }
}

/** By how much clusters multiply the variance, never less than 1; without any variation each cluster counts as one case. */
function effectOf(clustered: number, plain: number, size: number): number {
  return plain === 0 ? size : Math.max(1, (clustered / plain) ** 2)
}

/**
 * Without any variation a standard error of 0 would prove everything: the statistic is that of as many equal pairs, and a gap beyond the
 * margin counts as the margin.
 * @param units cases, or clusters where answers of one repeat one another
 */
function ratio(gap: number, standardError: number, units: number, margin: number): number {
  if (standardError > 0) return gap / standardError
  if (gap <= 0) return Number.NEGATIVE_INFINITY
  return tangoStatistic({ onlyNew: 0, onlyOld: 0, n: units }, -Math.min(gap, margin))
}

function present(values: readonly (number | null)[]): number {
  return values.reduce<number>((count, value) => count + (value === null ? 0 : 1), 0)
}

function variance(values: readonly number[], center: number): number {
  let squares = 0
  for (const value of values) squares += (value - center) ** 2
  return squares / (values.length - 1)
}
