import { requireOpenUnit, requirePositive } from '../checks.ts'
import { devianceTerm, nonZero, stirlingError } from './gamma.ts'
import { invert } from './invert.ts'

/**
 * x^a y^b Γ(a+b+1) / (Γ(a+1) Γ(b+1)) with y = 1 - x, for a, b > 0: the binomial probability of a successes in a + b, for real a and b.
 * Source: Loader (2000), saddle-point form.
 */
export function binomialKernel(a: number, b: number, x: number, y: number): number {
  const n = a + b
  const exponent = stirlingError(n) - stirlingError(a) - stirlingError(b) - devianceTerm(a, n * x) - devianceTerm(b, n * y)
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * a * b))
}

/**
 * Regularized incomplete beta function I_x(a, b), the distribution function of Beta(a, b).
 *
 * Continued fraction A&S 26.5.8 by the modified Lentz method, on the side of the mean where it converges.
 * @param y 1 - x, to be given when it is known more exactly than that difference.
 */
export function betaCdf(x: number, a: number, b: number, y = 1 - x): number {
  requirePositive('a', a)
  requirePositive('b', b)
  if (x <= 0) return 0
  if (y <= 0) return 1
  return x < (a + 1) / (a + b + 2) ? lowerTail(x, y, a, b) : 1 - lowerTail(y, x, b, a)
}

function lowerTail(x: number, y: number, a: number, b: number): number {
  return (binomialKernel(a, b, x, y) * (b / (a + b))) / fraction(x, a, b)
}

/** The denominator 1 + d1/(1 + d2/(1 + ...)) of A&S 26.5.8. */
function fraction(x: number, a: number, b: number): number {
  let value = 1
  let c = 1
  let d = 0
  for (let m = 0; m < 1_000_000; m++) {
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    const even = ((m + 1) * (b - m - 1) * x) / ((a + 2 * m + 1) * (a + 2 * m + 2))
    let factor = 1
    for (const coefficient of [odd, even]) {
      d = 1 / nonZero(1 + coefficient * d)
      c = nonZero(1 + coefficient / c)
      factor *= c * d
    }
    value *= factor
    if (Math.abs(factor - 1) < 1e-15) break
  }
  return value
}

/** Quantile of Beta(a, b): the x in [0, 1] with I_x(a, b) = p, for 0 < p < 1. Guarded Newton steps on the distribution function. */
export function betaQuantile(p: number, a: number, b: number): number {
  requireOpenUnit('p', p)
  const density = (x: number): number => (binomialKernel(a, b, x, 1 - x) * a * b) / ((a + b) * x * (1 - x))
  return invert(x => betaCdf(x, a, b), density, p, { low: 0, high: 1, start: a / (a + b) })
}
