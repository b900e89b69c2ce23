import { drawBinomial, drawNormal, type Random } from './random.ts'
import { isConstant } from './sample.ts'
import { distinctGroups, quantileBands, type UnitGroup, type Units } from './unit-groups.ts'

/** Below this many units the plain way is always taken, so that small samples give the same figures as other implementations. */
const COUNT_FROM = 1000
/** More distinct units than this are not worth counting, nor more than one in `UNITS_PER_COUNT`: a count costs as much as so many draws. */
const MOST_DISTINCT = 300
const UNITS_PER_COUNT = 30
/** Above this many single values with many distinct ones, values are drawn by bands. */
const BANDS_FROM = 10_000

/**
 * The mean of all values in each of `replicates` bootstrap samples of the units.
 *
 * - Plain: for each replicate in turn, as many draws of floor(u n) as there are units.
 * - Few distinct units (pass/fail differences take three values): how often each is drawn is multinomial, and is drawn as
 *   successive binomials (Devroye 1986, XI.1.4). The distribution is exactly that of the plain way.
 * - Many distinct values in a large sample: the same over bands of neighboring values, the outermost values on their own, with
 *   one normal number for what varies within bands. Mean and variance of the replicates are exact; only the shape of that part,
 *   a tiny share of the variance and in each band a sum of dozens of draws, is approximated.
 *
 * For one seed the ways give different numbers; which one is taken depends on the data alone, so results are repeatable.
 */
export function resampledMeans(units: Units, replicates: number, random: Random): Float64Array {
  const groups = groupsWorthCounting(units)
  return groups ? meansByCounting(groups, replicates, random) : meansByDrawing(units, replicates, random)
}

function groupsWorthCounting(units: Units): UnitGroup[] | null {
  const n = units.sums.length
  if (n < COUNT_FROM) return null
  const distinct = distinctGroups(units, Math.min(MOST_DISTINCT, n / UNITS_PER_COUNT))
  if (distinct) return distinct
  return n > BANDS_FROM && isConstant(units.sizes) ? quantileBands(units) : null
}

export function meansByDrawing({ sums, sizes }: Units, replicates: number, random: Random): Float64Array {
  const n = sums.length
  const commonSize = isConstant(sizes) ? (sizes[0] ?? 1) : null
  return Float64Array.from({ length: replicates }, () => {
    let total = 0
    let size = 0
    for (let i = 0; i < n; i++) {
      const drawn = Math.floor(random() * n)
      total += sums[drawn] ?? 0
      if (commonSize === null) size += sizes[drawn] ?? 0
    }
    return total / (commonSize === null ? size : n * commonSize)
  })
}

export function meansByCounting(groups: readonly UnitGroup[], replicates: number, random: Random): Float64Array {
  const n = groups.reduce((units, group) => units + group.count, 0)
  return Float64Array.from({ length: replicates }, () => {
    let total = 0
    let size = 0
    let varianceWithin = 0
    let drawsLeft = n
    let unitsLeft = n
    for (const group of groups) {
      const drawn = drawBinomial(drawsLeft, group.count / unitsLeft, random)
      total += drawn * group.sum
      size += drawn * group.size
      varianceWithin += drawn * group.variance
      drawsLeft -= drawn
      unitsLeft -= group.count
      if (drawsLeft === 0) break
    }
    return (varianceWithin === 0 ? total : total + Math.sqrt(varianceWithin) * drawNormal(random)) / size
  })
}
