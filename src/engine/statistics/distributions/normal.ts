import { requireOpenUnit } from '../checks.ts'
import { upperGamma } from './gamma.ts'

/**
 * Standard normal distribution function Φ(x) = P(Z <= x).
 *
 * Computed as Q(1/2, x²/2)/2 in the tail that x lies in (A&S 26.2.29 with 6.5.17), so both tails keep their relative accuracy.
 */
export function normalCdf(x: number): number {
  const tail = upperGamma(0.5, (x * x) / 2) / 2
  return x < 0 ? tail : 1 - tail
}

/** Upper tail P(Z > x), accurate where 1 - Φ(x) would round to 0. */
export function normalSf(x: number): number {
  return normalCdf(-x)
}

/** Two-sided p-value P(|Z| >= |z|). */
export function normalTwoSided(z: number): number {
  return upperGamma(0.5, (z * z) / 2)
}

function normalPdf(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/**
 * Standard normal quantile Φ⁻¹(p), for 0 < p < 1; absolute error near 1e-15.
 *
 * Starts from the rational approximation A&S 26.2.23 (error below 4.5e-4) and sharpens it with Halley steps on Φ.
 */
export function normalQuantile(p: number): number {
  requireOpenUnit('p', p)
  if (p === 0.5) return 0
  if (p > 0.5) return -normalQuantile(1 - p)
  const t = Math.sqrt(-2 * Math.log(p))
  let x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))))
  for (let step = 0; step < 3; step++) {
    const error = (normalCdf(x) - p) / normalPdf(x)
    x -= error / (1 + (x * error) / 2)
  }
  return x
}

/** The two-sided critical value: Φ⁻¹((1 + level)/2), e.g. 1.96 at level 0.95. */
export function normalCritical(level: number): number {
  requireOpenUnit('level', level)
  return -normalQuantile((1 - level) / 2)
}
