import { requireCount, requireOpenUnit } from './checks.ts'
import { sortedQuantile } from './bootstrap.ts'
import type { Interval } from './estimate.ts'
import { krippendorffAlpha } from './krippendorff.ts'
import { drawBinomial, mulberry32 } from './random.ts'
import { variance } from './sample.ts'

export interface BootstrapAlpha {
  readonly alpha: number | null
  /** Items with at least two ratings. */
  readonly pairableUnits: number
  /** Standard deviation of the replicates. */
  readonly standardError: number | null
  /** Percentiles of the replicates. */
  readonly interval: Interval | null
  readonly reason: string | null
  readonly cautions: readonly string[]
}

export interface BootstrapAlphaOptions {
  /** Same seed, same result. */
  readonly seed: number
  /** Bootstrap samples; 1,000 unless given. */
  readonly replicates?: number
  readonly level?: number
}

/** Below this many items a percentile interval of alpha is too short. */
const FEW_UNITS = 30

/**
 * Krippendorff's alpha with a bootstrap interval: items are drawn with replacement, with all their ratings.
 *
 * Items with the same ratings are drawn together, as successive binomials, so that the time of a replicate grows with the number of
 * different items alone. Observed and expected disagreement are sums over items and over values: δ² is 1 for unlike nominal ratings, so
 * De = (n² - Σ n_v²)/(n-1), and (v-w)² for intervals, so De = 2(n Σ n_v v² - (Σ n_v v)²)/(n-1).
 * Source: Krippendorff 2011; resampling of items: Zapf et al. 2016, "Measuring inter-rater reliability for nominal data".
 */
export function bootstrapAlpha(
  units: readonly (readonly number[])[],
  scale: 'nominal' | 'interval',
  { seed, replicates = 1000, level = 0.95 }: BootstrapAlphaOptions,
): BootstrapAlpha {
  requireCount('replicates', replicates, 2)
  requireOpenUnit('level', level)
  const { alpha, pairableUnits, reason, cautions } = krippendorffAlpha(units, scale)
  const point = { alpha, pairableUnits, reason, cautions }
  if (alpha === null) return { ...point, standardError: null, interval: null }
  const groups = groupsOf(
    units.filter(unit => unit.length >= 2),
    scale,
  )
  const random = mulberry32(seed)
  const drawn = Array.from({ length: replicates }, () => alphaOf(resampled(groups, pairableUnits, random), scale)).filter(
    value => value !== null,
  )
  if (drawn.length < replicates / 2) {
    const nothing = 'Most bootstrap samples hold ratings of one value alone, so there is no interval.'
    return { ...point, standardError: null, interval: null, reason: nothing }
  }
  const ascending = Float64Array.from(drawn).sort()
  const few = pairableUnits < FEW_UNITS ? [`Only ${pairableUnits} items have two ratings or more: the interval is too short.`] : []
  return {
    ...point,
    cautions: [...cautions, ...few],
    standardError: Math.sqrt(variance(ascending)),
    interval: {
      low: sortedQuantile(ascending, (1 - level) / 2),
      high: sortedQuantile(ascending, (1 + level) / 2),
      level,
      method: 'bootstrap_percentile',
    },
  }
}

/** Items with the same ratings. */
interface Group {
  readonly count: number
  readonly ratings: readonly number[]
  /** Σ δ² over ordered pairs of the ratings, over their number less one. */
  readonly disagreement: number
}

function groupsOf(units: readonly (readonly number[])[], scale: 'nominal' | 'interval'): Group[] {
  const counts = new Map<string, { count: number; ratings: readonly number[] }>()
  for (const unit of units) {
    const ratings = [...unit].sort((a, b) => a - b)
    const key = ratings.join(' ')
    const known = counts.get(key)
    if (known) known.count++
    else counts.set(key, { count: 1, ratings })
  }
  return [...counts.values()].map(group => ({ ...group, disagreement: disagreementOf(group.ratings, scale) }))
}

function disagreementOf(ratings: readonly number[], scale: 'nominal' | 'interval'): number {
  let total = 0
  for (const a of ratings) for (const b of ratings) total += scale === 'interval' ? (a - b) ** 2 : a === b ? 0 : 1
  return total / (ratings.length - 1)
}

function resampled(groups: readonly Group[], units: number, random: () => number): Group[] {
  let draws = units
  let left = units
  return groups.map((group, i) => {
    const count = i === groups.length - 1 ? draws : drawBinomial(draws, group.count / left, random)
    draws -= count
    left -= group.count
    return { ...group, count }
  })
}

/** Null where all ratings are equal. */
function alphaOf(groups: readonly Group[], scale: 'nominal' | 'interval'): number | null {
  const totals = new Map<number, number>()
  let observed = 0
  let n = 0
  for (const { count, ratings, disagreement } of groups) {
    if (count === 0) continue
    observed += count * disagreement
    n += count * ratings.length
    for (const rating of ratings) totals.set(rating, (totals.get(rating) ?? 0) + count)
  }
  let squares = 0
  let sumOfValues = 0
  for (const [value, total] of totals) {
    squares += scale === 'interval' ? total * value ** 2 : total ** 2
    sumOfValues += total * value
  }
  const expected = (scale === 'interval' ? 2 * (n * squares - sumOfValues ** 2) : n ** 2 - squares) / (n - 1)
  return totals.size < 2 ? null : 1 - observed / expected
}
