import { at, mean, sumOfSquares } from './sample.ts'

/** What is drawn with replacement: single values, or whole clusters as the sum and number of their values. */
export interface Units {
  readonly sums: Float64Array
  readonly sizes: Float64Array
}

/** Units that are drawn as one: alike, or neighbors in value. */
export interface UnitGroup {
  /** Mean sum of one unit. */
  readonly sum: number
  /** Number of values in one unit. */
  readonly size: number
  /** Variance of the units' sums within the group; 0 where they are alike. */
  readonly variance: number
  readonly count: number
}

/** Bands in the middle: so many that the variance within them is a tiny share of all. */
const BANDS = 192
/** Values at each end that stay on their own, so that outliers are drawn exactly. */
const SINGLES = 64

/** The distinct units and their counts, most frequent first; null when there are more than `limit`. */
export function distinctGroups({ sums, sizes }: Units, limit: number): UnitGroup[] | null {
  const bySize = new Map<number, Map<number, number>>()
  let distinct = 0
  for (let i = 0; i < sums.length; i++) {
    const sum = at(sums, i)
    const size = at(sizes, i)
    const counts = bySize.get(size) ?? new Map<number, number>()
    const count = counts.get(sum) ?? 0
    if (count === 0 && ++distinct > limit) return null
    counts.set(sum, count + 1)
    bySize.set(size, counts)
  }
  const groups = [...bySize].flatMap(([size, counts]) => [...counts].map(([sum, count]) => ({ sum, size, variance: 0, count })))
  return groups.sort((a, b) => b.count - a.count)
}

/** Units of one size in ascending order: the outermost on their own, those between in bands of equal count. */
export function quantileBands({ sums, sizes }: Units): UnitGroup[] {
  const sorted = sums.toSorted()
  const middle = sorted.length - 2 * SINGLES
  const ends = [
    ...Array.from({ length: SINGLES }, (_, i) => i + 1),
    ...Array.from({ length: BANDS }, (_, band) => SINGLES + Math.floor(((band + 1) * middle) / BANDS)),
    ...Array.from({ length: SINGLES }, (_, i) => SINGLES + middle + i + 1),
  ]
  return ends.map((end, i) => {
    const members = sorted.subarray(i === 0 ? 0 : at(ends, i - 1), end)
    return { sum: mean(members), size: at(sizes, 0), variance: sumOfSquares(members) / members.length, count: members.length }
  })
}
