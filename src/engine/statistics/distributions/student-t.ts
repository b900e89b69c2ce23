import { requireOpenUnit, requirePositive } from '../checks.ts'
import { betaCdf, binomialKernel } from './beta.ts'
import { invert } from './invert.ts'
import { normalQuantile, normalSf } from './normal.ts'

/**
 * P(|T| >= |t|) for Student's t with `df` > 0 degrees of freedom, a two-sided p-value: I_{df/(df+t²)}(df/2, 1/2).
 * Source: A&S 26.7.1 and 26.5.27.
 */
export function tTwoSided(t: number, df: number): number {
  requirePositive('df', df)
  const square = t * t
  if (square === Number.POSITIVE_INFINITY) return 0
  return betaCdf(df / (df + square), df / 2, 0.5, square / (df + square))
}

/** Distribution function of Student's t with `df` > 0 degrees of freedom (need not be whole). */
export function tCdf(t: number, df: number): number {
  const tail = tTwoSided(t, df) / 2
  return t < 0 ? tail : 1 - tail
}

function tPdf(t: number, df: number): number {
  const x = df / (df + t * t)
  const kernel = binomialKernel(df / 2, 0.5, x, 1 - x)
  return t === 0 ? Number.POSITIVE_INFINITY : (kernel * (df / (df + 1))) / Math.abs(t) / 2
}

/** Quantile of Student's t, 0 < p < 1, df > 0: the distribution function inverted between the normal quantile and a doubled bound. */
export function tQuantile(p: number, df: number): number {
  requireOpenUnit('p', p)
  requirePositive('df', df)
  if (p === 0.5) return 0
  if (p > 0.5) return -tQuantile(1 - p, df)
  const high = normalQuantile(p)
  let low = 2 * high - 1
  while (tCdf(low, df) > p) low *= 2
  return invert(
    t => tCdf(t, df),
    t => tPdf(t, df),
    p,
    { low, high: 0, start: high },
  )
}

/** The two-sided critical value of Student's t: its (1 + level)/2 quantile. */
export function tCritical(level: number, df: number): number {
  requireOpenUnit('level', level)
  return -tQuantile((1 - level) / 2, df)
}

/** The standard normal value with the same tail as `t` of Student's t, so that its bounds fit few degrees of freedom. */
export function tToNormal(t: number, df: number): number {
  const tail = tCdf(-Math.abs(t), df)
  const z = tail > 0 ? -normalQuantile(tail) : Number.POSITIVE_INFINITY
  return t < 0 ? -z : z
}

/** The inverse of `tToNormal`. */
export function normalToT(z: number, df: number): number {
  const t = -tQuantile(normalSf(Math.abs(z)), df)
  return z < 0 ? -t : t
}
