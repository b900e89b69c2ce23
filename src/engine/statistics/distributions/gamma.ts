import { gammaln } from 'simple-statistics'

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2
const TINY = 1e-300
const PRECISION = 1e-16

/** ln Γ(x) for x > 0 (Lanczos). Relative error below 1e-14 away from the zeros at 1 and 2, absolute error below 1e-14 near them. */
export function logGamma(x: number): number {
  return gammaln(x)
}

/** ln B(a, b) for a, b > 0. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** e^x, held at the largest finite number: evidence beyond it changes no decision and would not survive JSON. */
export function finiteExp(x: number): number {
  return Math.min(Number.MAX_VALUE, Math.exp(x))
}

/**
 * Error of Stirling's formula: ln Γ(x+1) - [(x + 1/2) ln x - x + ln(2π)/2], for x > 0.
 *
 * It stays accurate where ln Γ itself is so large that differences of it would lose their digits.
 * Source: C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000); the series is A&S 6.1.41.
 */
export function stirlingError(x: number): number {
  if (x < 15) return logGamma(x + 1) - ((x + 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI)
  const inverseSquare = 1 / (x * x)
  const series = 1 / 1680 - (inverseSquare * 1) / 1188
  return (1 / 12 - inverseSquare * (1 / 360 - inverseSquare * (1 / 1260 - inverseSquare * series))) / x
}

/**
 * Deviance term x ln(x/m) + m - x for x >= 0, m > 0, without cancellation when x is near m.
 * Source: Loader (2000), with ln(1+d) - d expanded where |x - m| is small.
 */
export function devianceTerm(x: number, m: number): number {
  if (x === 0) return m
  const distance = (x - m) / (x + m)
  if (Math.abs(distance) > 0.1) return x * Math.log(x / m) + m - x
  let term = 2 * x * distance
  let total = (x - m) * distance
  for (let j = 3; ; j += 2) {
    term *= distance * distance
    const next = total + term / j
    if (!(Math.abs(next - total) > 0)) return next
    total = next
  }
}

/**
 * Upper regularized incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a), for a > 0 and x >= 0.
 *
 * Series for x < a + 1 (A&S 6.5.29), otherwise the continued fraction A&S 6.5.31 evaluated by the modified Lentz method.
 */
export function upperGamma(a: number, x: number): number {
  if (x === 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  // x^a e^-x / Γ(a+1), by way of the Poisson density so that large arguments keep their digits
  const density = Math.exp(-stirlingError(a) - devianceTerm(a, x)) / Math.sqrt(2 * Math.PI * a)
  return x < a + 1 ? 1 - density * lowerSeries(a, x) : density * a * upperFraction(a, x)
}

/** Σ x^k / ((a+1)...(a+k)), k = 0, 1, ... */
function lowerSeries(a: number, x: number): number {
  let term = 1
  let total = 1
  for (let k = 1; term > total * PRECISION; k++) {
    term *= x / (a + k)
    total += term
  }
  return total
}

/** Γ(a, x) e^x x^-a */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = 1 / TINY
  let d = 1 / b
  let value = d
  for (let k = 1; k < 100_000; k++) {
    const numerator = -k * (k - a)
    b += 2
    d = 1 / nonZero(numerator * d + b)
    c = nonZero(b + numerator / c)
    const factor = c * d
    value *= factor
    if (Math.abs(factor - 1) <= PRECISION) return value
  }
  return value
}

/** The modified Lentz method's guard against a zero denominator. */
export function nonZero(x: number): number {
  return Math.abs(x) < TINY ? TINY : x
}
