import { requireCount, requireOpenUnit } from './checks.ts'
import { normalCritical, normalSf } from './distributions/normal.ts'
import { defined, type Estimate, type Interval, undefinedBecause } from './estimate.ts'

/** Counts of a paired pass/fail comparison. */
export interface PairedCounts {
  /** Questions that only the new model passed. */
  readonly onlyNew: number
  /** Questions that only the old model passed. */
  readonly onlyOld: number
  /** All questions, concordant ones included. */
  readonly n: number
}

/**
 * Tango's score statistic for the hypothesis that p_new - p_old equals `delta`: standard normal under it, falling in `delta`.
 *
 * (b - c - nδ) / sqrt(n (2 q + δ(1-δ))), b and c the questions that only the new or only the old model passed, q the
 * constrained maximum-likelihood estimate of the probability of the latter. Source: Tango 1998, Statistics in Medicine 17.
 */
export function tangoStatistic({ onlyNew, onlyOld, n }: PairedCounts, delta: number): number {
  const gap = onlyNew - onlyOld - n * delta
  if (gap === 0) return 0
  const linear = -onlyNew - onlyOld + (2 * n - onlyNew + onlyOld) * delta
  const constant = -onlyOld * delta * (1 - delta)
  const q = (Math.sqrt(Math.max(0, linear * linear - 8 * n * constant)) - linear) / (4 * n)
  return gap / Math.sqrt(Math.max(Number.MIN_VALUE, n * (2 * q + delta * (1 - delta))))
}

/** p_new - p_old on the same questions. */
export function pairedProportionDifference(counts: PairedCounts): Estimate {
  requireCounts(counts)
  if (counts.n === 0) return undefinedBecause('There are no questions.')
  return defined((counts.onlyNew - counts.onlyOld) / counts.n)
}

/**
 * Tango's score interval for p_new - p_old on the same questions: all δ whose score statistic is within ±z.
 * Assumes independent questions; keeps its coverage for few discordant pairs, even none. Source: Tango 1998.
 */
export function tangoInterval(counts: PairedCounts, level = 0.95): Estimate<Interval> {
  requireCounts(counts)
  const z = normalCritical(level)
  const observed = pairedProportionDifference(counts)
  if (observed.value === null) return observed
  return defined({ ...tangoWithin(counts, z), level, method: 'tango' })
}

/** All δ whose score statistic is within ±z; at least one question. */
export function tangoWithin(counts: PairedCounts, z: number): Pick<Interval, 'low' | 'high'> {
  const observed = (counts.onlyNew - counts.onlyOld) / counts.n
  const crossing = (target: number, below: number, above: number): number => {
    let [low, high] = [below, above]
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2
      if (tangoStatistic(counts, middle) > target) low = middle
      else high = middle
    }
    return (low + high) / 2
  }
  return { low: crossing(z, -1, observed), high: crossing(-z, observed, 1) }
}

/**
 * One-sided p-value that the new model is worse by `margin` or more, p_new - p_old <= -margin: small means non-inferior.
 * @param margin in (0, 1), fixed before the data are seen. Source: Tango 1998.
 */
export function tangoNoninferiority(counts: PairedCounts, margin: number): Estimate {
  requireCounts(counts)
  requireOpenUnit('margin', margin)
  if (counts.n === 0) return undefinedBecause('There are no questions.')
  return defined(normalSf(tangoStatistic(counts, -margin)))
}

function requireCounts({ onlyNew, onlyOld, n }: PairedCounts): void {
  requireCount('onlyNew', onlyNew)
  requireCount('onlyOld', onlyOld)
  requireCount('n', n)
  if (onlyNew + onlyOld > n) {
    throw new RangeError(
      `onlyNew and onlyOld add up to ${onlyNew + onlyOld}, more than the ${n} questions; give n with all questions in it`,
    )
  }
}
