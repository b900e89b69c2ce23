import { requireFinite, requireNonNegative, requireOpenUnit, requirePositive } from './checks.ts'
import { normalQuantile, normalSf } from './distributions/normal.ts'

export interface PairedNoninferiority {
  /** (d + M) / SE. */
  readonly z: number | null
  /** One-sided p-value of "worse by the margin or more". */
  readonly p: number | null
  /** One-sided lower bound d - z_{1-α} SE, in the unit of d. */
  readonly lowerBound: number
  /** Whether the lower bound lies above -M. */
  readonly noninferior: boolean
  /** Larger of the two one-sided p-values: small means equivalent within ±M. */
  readonly pEquivalence: number | null
  /** The 1-2α interval whose lying inside ±M means equivalence. */
  readonly equivalenceInterval: readonly [low: number, high: number]
  readonly reason: string | null
}

/**
 * Gate on a (clustered) paired difference d = new - old with its standard error: non-inferiority and equivalence (TOST).
 *
 * @param margin M > 0 in the unit of d, fixed before the data are seen. Assumes d close to normal; for few discordant pass/fail
 * pairs use `tangoNoninferiority`. A standard error of 0 decides nothing and is never a pass.
 * Source: Schuirmann 1987 (two one-sided tests).
 */
export function noninferiorityPaired(difference: number, standardError: number, margin: number, alpha = 0.05): PairedNoninferiority {
  requireFinite('difference', difference)
  requireNonNegative('standardError', standardError)
  requirePositive('margin', margin)
  requireOpenUnit('alpha', alpha)
  const halfWidth = -normalQuantile(alpha) * standardError
  const lowerBound = difference - halfWidth
  const equivalenceInterval = [lowerBound, difference + halfWidth] as const
  if (standardError === 0) {
    const reason = 'The standard error is 0, so the data say nothing about how far the difference could be off.'
    return { z: null, p: null, lowerBound, noninferior: false, pEquivalence: null, equivalenceInterval, reason }
  }
  const z = (difference + margin) / standardError
  const p = normalSf(z)
  const pEquivalence = Math.max(p, normalSf((margin - difference) / standardError))
  return { z, p, lowerBound, noninferior: lowerBound > -margin, pEquivalence, equivalenceInterval, reason: null }
}
