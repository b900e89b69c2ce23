import type { Interval } from './estimate.ts'
import { sum } from './sample.ts'

export interface GroupEstimate {
  readonly mean: number | null
  readonly standardError: number | null
  readonly interval: Pick<Interval, 'low' | 'high'> | null
}

export interface MacroMean {
  readonly groups: number
  readonly mean: number | null
  /** sqrt(Σ SE_g²) / G; null where a group has none. */
  readonly standardError: number | null
  readonly interval: Interval | null
  readonly reason: string | null
}

/**
 * Mean of the means of groups, each group counting the same whatever its size.
 *
 * Interval by the method of variance estimates recovery from each group's own interval [l_g, u_g]: m - sqrt(Σ(m_g - l_g)²)/G and
 * m + sqrt(Σ(u_g - m_g)²)/G, method `mover`. It exists where all values of a group are equal and stays within the range of the groups'
 * intervals. Assumes independent groups, which are all there are and not a sample of groups.
 * Source: Zou, Huang & Zhang 2009 (Computational Statistics & Data Analysis 53), from Newcombe 1998.
 * @param level of the groups' intervals
 */
export function macroMean(groups: readonly GroupEstimate[], level: number): MacroMean {
  const count = groups.length
  const nothing = { groups: count, standardError: null, interval: null }
  if (count === 0) return { ...nothing, mean: null, reason: 'There are no groups.' }
  const means = groups.map(({ mean }) => mean)
  if (!means.every(mean => mean !== null)) return { ...nothing, mean: null, reason: 'A group has no scored task.' }
  const mean = sum(means) / count
  const errors = groups.map(({ standardError }) => standardError)
  const standardError = errors.every(error => error !== null) ? Math.sqrt(sum(errors.map(error => error ** 2))) / count : null
  const lows: number[] = []
  const highs: number[] = []
  for (const { mean: own, interval } of groups) {
    if (own === null || interval === null)
      return { ...nothing, mean, standardError, reason: 'A group is too small for an interval of its own.' }
    lows.push((own - interval.low) ** 2)
    highs.push((interval.high - own) ** 2)
  }
  const interval = { low: mean - Math.sqrt(sum(lows)) / count, high: mean + Math.sqrt(sum(highs)) / count, level, method: 'mover' }
  return {
    groups: count,
    mean,
    standardError,
    interval,
    reason: standardError === null ? 'A group has a single task, which leaves its spread unknown.' : null,
  }
}
