import { betaQuantile } from './distributions/beta.ts'
import { binomialCdf } from './distributions/binomial.ts'
import { normalCdf, normalSf } from './distributions/normal.ts'
import { tCdf, tQuantile } from './distributions/student-t.ts'
import { requireSuccesses } from './checks.ts'
import { type PairedCounts, tangoInterval, tangoStatistic } from './tango.ts'

/**
 * What the data say of one quantity θ from one side at a time: bounds at a one-sided error α, and p-values against a threshold t. The
 * two agree: `lower(α)` is at least t exactly where `above(t)` is at most α, up to rounding.
 */
export interface OneSided {
  readonly method: string
  /** Tasks. */
  readonly n: number
  readonly estimate: number
  /** Null where the method has none. */
  readonly standardError: number | null
  /** One-sided lower bound; null where these data give none at that α. */
  lower(alpha: number): number | null
  upper(alpha: number): number | null
  /** p-value of θ ≤ t: small where the data show that θ is above t. */
  above(t: number): number
  /** p-value of θ ≥ t: small where the data show that θ is below t. */
  below(t: number): number
}

/**
 * A rate of independent successes: Clopper–Pearson bounds and exact binomial p-values, which never err more often than stated.
 * Source: Clopper & Pearson 1934.
 */
export function exactRate(successes: number, trials: number): OneSided {
  requireSuccesses(successes, trials)
  const failures = trials - successes
  const clamp = (t: number): number => Math.min(1, Math.max(0, t))
  return {
    method: 'clopper_pearson',
    n: trials,
    estimate: successes / trials,
    standardError: null,
    lower: alpha => (successes === 0 ? 0 : betaQuantile(alpha, successes, failures + 1)),
    upper: alpha => (failures === 0 ? 1 : betaQuantile(1 - alpha, successes + 1, failures)),
    above: t => (t < 0 ? 0 : binomialCdf(failures, trials, 1 - clamp(t))),
    below: t => (t > 1 ? 0 : binomialCdf(successes, trials, clamp(t))),
  }
}

/** A mean with its standard error above 0, by Student's t. @param method of the standard error, e.g. `t`, `paired_t`, `cr1_t` */
export function studentMean(estimate: number, standardError: number, df: number, n: number, method: string): OneSided {
  return {
    method,
    n,
    estimate,
    standardError,
    lower: alpha => estimate + tQuantile(alpha, df) * standardError,
    upper: alpha => estimate - tQuantile(alpha, df) * standardError,
    above: t => tCdf((t - estimate) / standardError, df),
    below: t => tCdf((estimate - t) / standardError, df),
  }
}

/** p_new − p_old on the same tasks by Tango's score statistic. Source: Tango 1998. */
export function tangoDifference(counts: PairedCounts): OneSided {
  const bounds = (alpha: number) => tangoInterval(counts, 1 - 2 * alpha).value
  const inside = (t: number): number => Math.min(1, Math.max(-1, t))
  return {
    method: 'tango',
    n: counts.n,
    estimate: (counts.onlyNew - counts.onlyOld) / counts.n,
    standardError: null,
    lower: alpha => bounds(alpha)?.low ?? null,
    upper: alpha => bounds(alpha)?.high ?? null,
    above: t => normalSf(tangoStatistic(counts, inside(t))),
    below: t => normalCdf(tangoStatistic(counts, inside(t))),
  }
}

/**
 * A proportion or mean whose bounds are known at every α but whose p-values are not: the p-value is the smallest α at which the bound
 * reaches the threshold.
 */
export function fromBounds(facts: Pick<OneSided, 'method' | 'n' | 'estimate' | 'standardError' | 'lower' | 'upper'>): OneSided {
  const smallest = (reaches: (alpha: number) => boolean): number => {
    if (!reaches(0.4999)) return 1
    let [low, high] = [Math.log(1e-12), Math.log(0.4999)]
    if (reaches(1e-12)) return 1e-12
    for (let step = 0; step < 50; step++) {
      const middle = (low + high) / 2
      if (reaches(Math.exp(middle))) high = middle
      else low = middle
    }
    return Math.exp(high)
  }
  return {
    ...facts,
    above: t => smallest(alpha => (facts.lower(alpha) ?? Number.NEGATIVE_INFINITY) >= t),
    below: t => smallest(alpha => (facts.upper(alpha) ?? Number.POSITIVE_INFINITY) <= t),
  }
}
