import { requireCount, requireOpenUnit } from './checks.ts'
import { normalCdf, normalQuantile } from './distributions/normal.ts'
import { defined, type Estimate, type Interval, undefinedBecause } from './estimate.ts'
import { totalsByKey } from './groups.ts'
import { meanAndStandardError, NO_VARIATION } from './means.ts'
import { mulberry32 } from './random.ts'
import { resampledMeans } from './resampling.ts'
import { at, type Sample, sum, variance, varies, whyUnusable } from './sample.ts'
import type { Units } from './unit-groups.ts'

export interface BootstrapOptions {
  /** Same seed, same result. */
  readonly seed: number
  /** Bootstrap samples; 10,000 unless given. */
  readonly replicates?: number
  readonly level?: number
  /** The cluster of each value: clusters are then drawn whole. */
  readonly clusters?: readonly string[]
}

export interface BootstrapMean {
  /** Values, or clusters where given. */
  readonly units: number
  readonly replicates: number
  readonly mean: number | null
  /** Standard deviation of the replicates. */
  readonly standardError: number | null
  /** Quantiles of the replicates. */
  readonly percentile: Interval | null
  /** The percentile interval mirrored at the mean. */
  readonly basic: Interval | null
  /** Bias-corrected and accelerated: the one to prefer for skewed data. */
  readonly bca: Interval | null
  /** BCa bias correction. */
  readonly z0: number | null
  /** BCa acceleration. */
  readonly acceleration: number | null
  readonly reason: string | null
}

/**
 * Bootstrap of a mean: standard error and percentile, basic and BCa intervals, in the unit of the values.
 *
 * Random numbers from mulberry32, quantiles of type 7 (linear). Assumes independent units; with fewer than about 20 of them
 * every bootstrap interval is too short. See `resampledMeans` for how large samples with few distinct values stay fast.
 * Source: Efron & Tibshirani 1993, chapters 13 and 14; whole clusters: Davison & Hinkley 1997, section 3.8.
 */
export function bootstrapMean(values: Sample, options: BootstrapOptions): BootstrapMean {
  const { seed, replicates = 10_000, level = 0.95, clusters } = options
  requireCount('replicates', replicates, 2)
  requireOpenUnit('level', level)
  const units: Units = clusters
    ? totalsByKey(values, clusters)
    : { sums: Float64Array.from(values), sizes: new Float64Array(values.length).fill(1) }
  const count = units.sums.length
  const reason = whyUnusable(values) ?? whyNotResampled(values, count)
  if (reason !== null) {
    const nothing = { mean: null, standardError: null, percentile: null, basic: null, bca: null, z0: null, acceleration: null }
    return { units: count, replicates, ...nothing, reason }
  }
  const mean = sum(values) / values.length
  const means = resampledMeans(units, replicates, mulberry32(seed)).sort()
  const interval = (low: number, high: number, method: string): Interval => ({ low, high, level, method })
  const low = sortedQuantile(means, (1 - level) / 2)
  const high = sortedQuantile(means, (1 + level) / 2)
  const correction = biasCorrection(means, mean, units)
  const shift = correction.value?.shift
  return {
    units: count,
    replicates,
    mean,
    standardError: Math.sqrt(variance(means)),
    percentile: interval(low, high, 'bootstrap_percentile'),
    basic: interval(2 * mean - high, 2 * mean - low, 'bootstrap_basic'),
    bca: shift
      ? interval(sortedQuantile(means, shift((1 - level) / 2)), sortedQuantile(means, shift((1 + level) / 2)), 'bootstrap_bca')
      : null,
    z0: correction.value?.z0 ?? null,
    acceleration: correction.value?.acceleration ?? null,
    reason: correction.reason,
  }
}

function whyNotResampled(values: Sample, units: number): string | null {
  if (units < 2) return 'A single value or cluster cannot be resampled; at least two are needed.'
  return varies(values) ? null : NO_VARIATION
}

interface BiasCorrection {
  readonly z0: number
  readonly acceleration: number
  /** The probability at which to read the replicates for the nominal probability p. */
  readonly shift: (p: number) => number
}

/** z0 = Φ⁻¹(share of replicates below the mean, ties half); acceleration Σ(m̄-m_i)³ / 6(Σ(m̄-m_i)²)^1.5 of the jackknife means m_i. */
function biasCorrection(sortedMeans: Float64Array, mean: number, units: Units): Estimate<BiasCorrection> {
  let below = 0
  for (const replicate of sortedMeans) below += replicate < mean ? 1 : replicate === mean ? 0.5 : 0
  const share = below / sortedMeans.length
  if (share === 0 || share === 1) {
    return undefinedBecause('All bootstrap means lie on one side of the mean, so the BCa correction is infinite; more replicates may help.')
  }
  const total = sum(units.sums)
  const size = sum(units.sizes)
  const jackknife = units.sums.map((unitSum, i) => (total - unitSum) / (size - at(units.sizes, i)))
  const center = sum(jackknife) / jackknife.length
  const squares = sum(jackknife.map(value => (center - value) ** 2))
  const acceleration = squares === 0 ? 0 : sum(jackknife.map(value => (center - value) ** 3)) / (6 * squares ** 1.5)
  const z0 = normalQuantile(share)
  return defined({ z0, acceleration, shift: p => shifted(z0 + normalQuantile(p), z0, acceleration) })
}

function shifted(z: number, z0: number, acceleration: number): number {
  return normalCdf(z0 + z / (1 - acceleration * z))
}

/** Type 7 quantile, linear between order statistics (Hyndman & Fan 1996), of ascending values. */
export function sortedQuantile(ascending: Sample, p: number): number {
  const position = p * (ascending.length - 1)
  const below = Math.floor(position)
  const low = at(ascending, below)
  return low + (position - below) * (at(ascending, Math.min(below + 1, ascending.length - 1)) - low)
}

/**
 * The standard error that the bootstrap of a mean estimates, without resampling: sqrt((n-1)/n) SE_CLT.
 * Source: Efron & Tibshirani 1993, section 5.2.
 */
export function bootstrapStandardErrorExact(values: Sample): Estimate {
  const { n, standardError, reason } = meanAndStandardError(values)
  return standardError === null ? undefinedBecause(reason ?? '') : defined(Math.sqrt((n - 1) / n) * standardError)
}
