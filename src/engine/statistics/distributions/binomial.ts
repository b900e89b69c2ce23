import { requireCount, requireUnit } from '../checks.ts'
import { betaCdf, binomialKernel } from './beta.ts'

/** Probability of exactly k successes in n independent trials of probability p. Source: Loader 2000, saddle-point form. */
export function binomialPmf(k: number, n: number, p: number): number {
  requireCount('n', n)
  requireUnit('p', p)
  if (k < 0 || k > n || !Number.isInteger(k)) return 0
  if (p === 0) return k === 0 ? 1 : 0
  if (p === 1) return k === n ? 1 : 0
  if (k === 0) return Math.exp(n * Math.log1p(-p))
  if (k === n) return Math.exp(n * Math.log(p))
  return binomialKernel(k, n - k, p, 1 - p)
}

/** Probability of at most k successes in n independent trials of probability p: I_{1-p}(n-k, k+1) (A&S 26.5.24). */
export function binomialCdf(k: number, n: number, p: number): number {
  requireCount('n', n)
  requireUnit('p', p)
  const whole = Math.floor(k)
  if (whole < 0) return 0
  return whole >= n ? 1 : betaCdf(1 - p, n - whole, whole + 1, p)
}

/** Two-sided exact test of probability 1/2 for `first` against `second` outcomes: 2 P(X <= min), at most 1; 1 when there are none. */
export function signTest(first: number, second: number): number {
  return Math.min(1, 2 * binomialCdf(Math.min(first, second), first + second, 0.5))
}
