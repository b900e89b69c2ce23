import { requireCount, requireOpenUnit, requireSuccesses } from './checks.ts'
import { betaQuantile } from './distributions/beta.ts'
import { normalCritical } from './distributions/normal.ts'
import { defined, type Estimate, type Interval, undefinedBecause } from './estimate.ts'

type Bounds = readonly [low: number, high: number]

function proportionInterval(method: string, successes: number, trials: number, level: number, bounds: () => Bounds): Estimate<Interval> {
  requireSuccesses(successes, trials)
  requireOpenUnit('level', level)
  if (trials === 0) return undefinedBecause('There are no trials, so there is no proportion.')
  const [low, high] = bounds()
  return defined({ low: successes === 0 ? 0 : Math.max(0, low), high: successes === trials ? 1 : Math.min(1, high), level, method })
}

/**
 * Wilson score interval (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) for a proportion: the default here.
 *
 * Assumes independent trials of one probability. Keeps its coverage near 0 and 1, where p ± z SE fails.
 * Source: Wilson 1927; recommended by Brown, Cai & DasGupta 2001.
 */
export function wilsonInterval(successes: number, trials: number, level = 0.95): Estimate<Interval> {
  return proportionInterval('wilson', successes, trials, level, () => wilsonBounds(successes / trials, trials, normalCritical(level)))
}

/** The Wilson formula for any positive, possibly fractional, number of trials and any critical value. */
export function wilsonBounds(p: number, trials: number, z: number): Bounds {
  const square = z * z
  const center = p + square / (2 * trials)
  const spread = z * Math.sqrt((p * (1 - p)) / trials + square / (4 * trials * trials))
  const scale = 1 + square / trials
  return [(center - spread) / scale, (center + spread) / scale]
}

/**
 * Clopper-Pearson interval: quantiles of Beta(k, n-k+1) and Beta(k+1, n-k). Never covers less than its level, so it is the one
 * for safety claims. Assumes independent trials of one probability. Source: Clopper & Pearson 1934.
 */
export function clopperPearsonInterval(successes: number, trials: number, level = 0.95): Estimate<Interval> {
  return proportionInterval('clopper_pearson', successes, trials, level, () => {
    const tail = (1 - level) / 2
    const failures = trials - successes
    return [
      successes === 0 ? 0 : betaQuantile(tail, successes, failures + 1),
      failures === 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
    ]
  })
}

/**
 * Jeffreys interval: equal-tailed quantiles of Beta(k + 1/2, n-k + 1/2), with 0 and 1 as ends at k = 0 and k = n.
 * Assumes independent trials of one probability and the Jeffreys prior. Source: Brown, Cai & DasGupta 2001.
 */
export function jeffreysInterval(successes: number, trials: number, level = 0.95): Estimate<Interval> {
  return proportionInterval('jeffreys', successes, trials, level, () => {
    const tail = (1 - level) / 2
    const a = successes + 0.5
    const b = trials - successes + 0.5
    return [betaQuantile(tail, a, b), betaQuantile(1 - tail, a, b)]
  })
}

/**
 * Agresti-Coull interval: p' ± z sqrt(p'(1-p')/n') with n' = n + z² and p' = (k + z²/2)/n', cut to [0, 1].
 * Assumes independent trials of one probability. Source: Agresti & Coull 1998.
 */
export function agrestiCoullInterval(successes: number, trials: number, level = 0.95): Estimate<Interval> {
  return proportionInterval('agresti_coull', successes, trials, level, () => {
    const z = normalCritical(level)
    const n = trials + z * z
    const p = (successes + (z * z) / 2) / n
    const halfWidth = z * Math.sqrt((p * (1 - p)) / n)
    return [p - halfWidth, p + halfWidth]
  })
}

/**
 * Upper bound 1 - α^(1/n) for an event never seen in n independent trials, at one-sided confidence 1 - α: near 3/n at 95 %.
 * Source: one-sided Clopper-Pearson with no event (Hanley & Lippman-Hand 1983, "rule of three").
 */
export function zeroFailuresUpperBound(trials: number, alpha = 0.05): Estimate {
  requireCount('trials', trials)
  requireOpenUnit('alpha', alpha)
  return trials === 0 ? undefinedBecause('There are no trials.') : defined(-Math.expm1(Math.log(alpha) / trials))
}
