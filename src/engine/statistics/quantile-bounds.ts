import { requireOpenUnit } from './checks.ts'
import { binomialCdf } from './distributions/binomial.ts'
import { at } from './sample.ts'

/** What order statistics say of a quantile against a limit. */
export interface QuantileBounds {
  readonly n: number
  /** The order statistic of rank ⌈qn⌉. */
  readonly estimate: number
  /** Upper bound: the order statistic of the least rank k with BinomCDF(k−1; n, q) ≥ 1−α; null where n is too small for one. */
  upper(alpha: number): number | null
  /** Lower bound: the order statistic of the greatest rank k with BinomCDF(k−1; n, q) ≤ α; null likewise. */
  lower(alpha: number): number | null
  /** p-value of "the quantile is above the limit": small where it is shown to be at most the limit. */
  atMost(limit: number): number
  /** p-value of "the quantile is at most the limit". */
  moreThan(limit: number): number
}

/**
 * Distribution-free bounds of the q-quantile of independent values; infinite values stand for "longer than any". The number of values at
 * or below the quantile is binomial. Source: David & Nagaraja 2003, section 7.1.
 */
export function quantileBounds(values: readonly number[], q: number): QuantileBounds | null {
  requireOpenUnit('q', q)
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  if (n === 0) return null
  const within = (limit: number): number => sorted.reduce((count, value) => (value <= limit ? count + 1 : count), 0)
  /** The least k in 1..n+1 with BinomCDF(k−1) ≥ share. */
  const least = (share: number): number => {
    let [low, high] = [1, n + 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (binomialCdf(middle - 1, n, q) >= share) high = middle
      else low = middle + 1
    }
    return low
  }
  return {
    n,
    estimate: at(sorted, Math.max(0, Math.ceil(q * n) - 1)),
    upper: alpha => {
      const k = least(1 - alpha)
      return k > n ? null : at(sorted, k - 1)
    },
    lower: alpha => {
      // One below the least rank whose probability is above α.
      const k = least(alpha + Number.EPSILON) - 1
      return k < 1 ? null : at(sorted, k - 1)
    },
    // P(at least as many values within the limit | quantile just above it), and P(at most as many | quantile at the limit).
    atMost: limit => 1 - binomialCdf(within(limit) - 1, n, q),
    moreThan: limit => binomialCdf(within(limit), n, q),
  }
}
