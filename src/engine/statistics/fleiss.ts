import { requireCount } from './checks.ts'
import { defined, type Estimate, undefinedBecause } from './estimate.ts'
import { at, sum } from './sample.ts'

/**
 * Fleiss' kappa for a fixed number of raters per item: (P̄ - P̄e)/(1 - P̄e).
 *
 * @param counts for each item, how many raters chose each category; the same number of raters, at least two, for every item.
 * Assumes independent items rated by exchangeable raters. Source: Fleiss 1971.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): Estimate {
  if (counts.length === 0) return undefinedBecause('There are no rated items.')
  const raters = sum(at(counts, 0))
  const categories = at(counts, 0).length
  for (const [i, item] of counts.entries()) {
    item.forEach((count, j) => requireCount(`counts[${i}][${j}]`, count))
    if (item.length !== categories || sum(item) !== raters) {
      throw new RangeError(
        `item ${i} has ${sum(item)} ratings in ${item.length} categories and item 0 has ${raters} in ${categories}; give the same for every item`,
      )
    }
  }
  if (raters < 2) return undefinedBecause(`Every item has ${raters} ratings; agreement needs at least two.`)
  const total = counts.length * raters
  const shares = at(counts, 0).map((_, j) => sum(counts.map(item => at(item, j))) / total)
  const agreement = sum(counts.map(item => (sum(item.map(count => count * count)) - raters) / (raters * (raters - 1)))) / counts.length
  if (shares.filter(share => share > 0).length < 2) {
    return undefinedBecause('All ratings are of one class, so chance alone explains the agreement.')
  }
  const expected = sum(shares.map(share => share * share))
  return defined((agreement - expected) / (1 - expected))
}
