/**
 * Which linear coefficient the likelihood equation gets. `exact` is the one that maximizes the likelihood. `statsmodels_0_15`
 * repeats an error of statsmodels up to 0.15 (its issue 10269: the second sample's successes are used in place of its size), for
 * comparison with figures made there; its rates do not maximize the likelihood.
 */
export type ConstrainedForm = 'exact' | 'statsmodels_0_15'

/** Successes of two independent samples. */
export interface TwoSamples {
  readonly k1: number
  readonly n1: number
  readonly k2: number
  readonly n2: number
}

/**
 * Maximum-likelihood rates [p1, p2] of two independent samples under p1 - p2 = delta: the closed solution of the cubic
 * likelihood equation in p2. Source: Miettinen & Nurminen 1985, Statistics in Medicine 4, appendix I; the same rates as
 * Farrington & Manning 1990.
 */
export function constrainedRates({ k1, n1, k2, n2 }: TwoSamples, delta: number, form: ConstrainedForm): readonly [number, number] {
  const total = n1 + n2
  const successes = k1 + k2
  const linearSize = form === 'exact' ? n2 : k2
  const quadratic = ((n1 + 2 * n2) * delta - total - successes) / (3 * total)
  const linear = ((linearSize * delta - total - 2 * k2) * delta + successes) / (3 * total)
  const constant = (k2 * delta * (1 - delta)) / (2 * total)
  const q = quadratic ** 3 - (3 * linear * quadratic) / 2 + constant
  const p = (q > 0 ? 1 : -1) * Math.sqrt(Math.max(0, quadratic ** 2 - linear))
  const cosine = p === 0 ? 0 : Math.max(-1, Math.min(1, q / p ** 3))
  const root = 2 * p * Math.cos((Math.PI + Math.acos(cosine)) / 3) - quadratic
  const second = Math.max(0, -delta, Math.min(1, 1 - delta, root))
  return [second + delta, second]
}
