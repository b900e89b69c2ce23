import { requirePositive, requireSuccesses } from './checks.ts'
import type { MeanAndError } from './means.ts'

/** One stratum of a population: its weight and what was seen in a sample of it. */
export interface Stratum {
  /** Share of the population, or anything proportional to it; above 0. */
  readonly weight: number
  readonly successes: number
  readonly trials: number
}

/**
 * Proportion in a population from samples of its strata: Σ W_h p_h with W_h the weights scaled to 1 and
 * SE = sqrt( Σ W_h² p_h(1-p_h)/(n_h-1) ). Assumes independent trials within and between strata.
 * Source: Cochran, Sampling Techniques, 3rd ed., section 5.10, without the finite-population correction.
 */
export function stratifiedProportion(strata: readonly Stratum[]): MeanAndError {
  let n = 0
  let totalWeight = 0
  for (const { weight, successes, trials } of strata) {
    requirePositive('weight', weight)
    requireSuccesses(successes, trials)
    n += trials
    totalWeight += weight
  }
  if (strata.length === 0) return { n, mean: null, standardError: null, reason: 'There are no strata.' }
  if (strata.some(stratum => stratum.trials === 0)) return { n, mean: null, standardError: null, reason: 'A stratum has no trials.' }
  const single = strata.some(stratum => stratum.trials < 2)
  let mean = 0
  let squares = 0
  for (const { weight, successes, trials } of strata) {
    const p = successes / trials
    mean += (weight / totalWeight) * p
    if (!single) squares += ((weight / totalWeight) ** 2 * p * (1 - p)) / (trials - 1)
  }
  if (single) return { n, mean, standardError: null, reason: 'A stratum has a single trial, which leaves its variance unknown.' }
  return { n, mean, standardError: Math.sqrt(squares), reason: null }
}
