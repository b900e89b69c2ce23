import { requireOpenUnit, requireSuccesses } from './checks.ts'
import { sortedQuantile } from './bootstrap.ts'
import { betaCdf, betaQuantile, binomialKernel } from './distributions/beta.ts'
import { normalCdf, normalCritical } from './distributions/normal.ts'
import { defined, type Estimate, type Interval, undefinedBecause } from './estimate.ts'
import { totalsByKey } from './groups.ts'
import { mulberry32 } from './random.ts'
import { at, type Sample, sum, varies, whyUnusable } from './sample.ts'

/** What is believed of a quantity after the data, from a uniform prior. */
export interface Posterior {
  /** Equal-tailed credible interval. */
  readonly interval: Interval
  /** Probability that the quantity is above 0, or above the threshold that was asked about. */
  readonly probabilityAbove: number
}

/**
 * A rate of independent successes with the prior Beta(1, 1): Beta(1 + s, 1 + n - s), method `beta_uniform`.
 * Source: Bowyer, Aitchison & Ivanova 2025 (arXiv 2503.01747), section 4.1.
 * @param threshold of `probabilityAbove`
 */
export function ratePosterior(successes: number, trials: number, threshold: number, level = 0.95): Estimate<Posterior> {
  requireSuccesses(successes, trials)
  requireOpenUnit('level', level)
  if (trials === 0) return undefinedBecause('There are no trials.')
  const a = 1 + successes
  const b = 1 + trials - successes
  const tail = (1 - level) / 2
  const interval = { low: betaQuantile(tail, a, b), high: betaQuantile(1 - tail, a, b), level, method: 'beta_uniform' }
  return defined({ interval, probabilityAbove: 1 - betaCdf(threshold, a, b) })
}

/** Even panels of Simpson's rule over the discordant share; bounds are then right to about 0.00003. */
const panels = 240

/**
 * p_new - p_old of two models on the same questions with the prior Dirichlet(1, 1, 1, 1) over the four outcomes, method
 * `dirichlet_uniform`. The discordant share S ~ Beta(2 + b + c, 2 + n - b - c) and the new model's part of it R ~ Beta(1 + b, 1 + c) are
 * independent and the difference is S (2R - 1), so that P(difference > 0) = P(R > 1/2) and its distribution is one integral.
 * Source: Altham 1971 (Biometrika 58); Bowyer, Aitchison & Ivanova 2025, section 4.3.
 */
export function pairedRatePosterior(onlyNew: number, onlyOld: number, n: number, level = 0.95): Estimate<Posterior> {
  requireSuccesses(onlyNew + onlyOld, n)
  requireOpenUnit('level', level)
  if (n === 0) return undefinedBecause('There are no common tasks.')
  const [a, b] = [1 + onlyNew, 1 + onlyOld]
  const nodes = simpsonNodes(a + b, 2 + n - onlyNew - onlyOld)
  const cdf = (x: number): number => sum(nodes.map(({ s, weight }) => weight * betaCdf(Math.min(1, Math.max(0, (x / s + 1) / 2)), a, b)))
  const quantile = (p: number): number => rootBetween(-1, 1, x => cdf(x) - p)
  const tail = (1 - level) / 2
  const interval = { low: quantile(tail), high: quantile(1 - tail), level, method: 'dirichlet_uniform' }
  return defined({ interval, probabilityAbove: 1 - betaCdf(0.5, a, b) })
}

/** Where an increasing function is 0, by false position with the Illinois step. */
function rootBetween(from: number, to: number, excess: (x: number) => number): number {
  let [low, high] = [from, to]
  let [below, above] = [excess(low), excess(high)]
  for (let step = 0, last = 0; step < 60 && high - low > 1e-9; step++) {
    const x = (low * above - high * below) / (above - below)
    const value = excess(x)
    if (Math.abs(value) < 1e-10) return x
    if (value < 0) {
      low = x
      below = value
      if (last < 0) above /= 2
      last = -1
    } else {
      high = x
      above = value
      if (last > 0) below /= 2
      last = 1
    }
  }
  return (low + high) / 2
}

/** Points and weights, summing to 1, for an expectation over Beta(a, b) with a, b >= 2. */
function simpsonNodes(a: number, b: number): { readonly s: number; readonly weight: number }[] {
  const mean = a / (a + b)
  const spread = Math.sqrt((mean * (1 - mean)) / (a + b + 1))
  const low = Math.max(1e-12, mean - 9 * spread)
  const high = Math.min(1 - 1e-12, mean + 9 * spread)
  const nodes = Array.from({ length: panels + 1 }, (_, i) => {
    const s = low + ((high - low) * i) / panels
    const simpson = i === 0 || i === panels ? 1 : i % 2 === 1 ? 4 : 2
    return { s, weight: simpson * (binomialKernel(a - 1, b - 1, s, 1 - s) || 0) }
  })
  const total = sum(nodes.map(({ weight }) => weight))
  return nodes.map(({ s, weight }) => ({ s, weight: weight / total }))
}

/** Beyond this many values or clusters the posterior is normal for all purposes. */
const mostResampled = 2000
const draws = 4000

/**
 * A mean by the Bayesian bootstrap: weights Dirichlet(1, …, 1) over the values, or over whole clusters, method `bayesian_bootstrap`; for
 * more than 2,000 units the normal distribution of the same mean and variance, Σ(d - m)² / (n (n + 1)), method `bayesian_bootstrap_normal`.
 * Source: Rubin 1981 (Annals of Statistics 9).
 */
export function meanPosterior(
  values: Sample,
  { seed, level = 0.95, clusters }: { readonly seed: number; readonly level?: number; readonly clusters?: readonly string[] },
): Estimate<Posterior> {
  requireOpenUnit('level', level)
  const unusable = whyUnusable(values)
  if (unusable !== null) return undefinedBecause(unusable)
  const units = clusters
    ? totalsByKey(values, clusters)
    : { sums: Float64Array.from(values), sizes: new Float64Array(values.length).fill(1) }
  const count = units.sums.length
  if (count < 2) return undefinedBecause('A single value or cluster leaves the spread unknown; at least two are needed.')
  if (!varies(values)) return undefinedBecause('All values are equal, so weighting them differently changes nothing.')
  const mean = sum(values) / values.length
  if (count > mostResampled) {
    const squares = sum(units.sums.map((total, i) => (total - mean * at(units.sizes, i)) ** 2))
    const error = Math.sqrt((squares * count) / (count + 1)) / values.length
    const margin = normalCritical(level) * error
    const interval = { low: mean - margin, high: mean + margin, level, method: 'bayesian_bootstrap_normal' }
    return defined({ interval, probabilityAbove: normalCdf(mean / error) })
  }
  const random = mulberry32(seed)
  const means = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    let weighted = 0
    let size = 0
    for (let i = 0; i < count; i++) {
      const weight = -Math.log(1 - random())
      weighted += weight * at(units.sums, i)
      size += weight * at(units.sizes, i)
    }
    means[draw] = weighted / size
  }
  means.sort()
  const tail = (1 - level) / 2
  const interval = { low: sortedQuantile(means, tail), high: sortedQuantile(means, 1 - tail), level, method: 'bayesian_bootstrap' }
  let above = 0
  for (const value of means) above += value > 0 ? 1 : value === 0 ? 0.5 : 0
  return defined({ interval, probabilityAbove: above / draws })
}
