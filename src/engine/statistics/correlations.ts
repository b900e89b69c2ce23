import { requireOpenUnit, requireSameLength } from './checks.ts'
import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'
import { averageRanks, sortedOrder } from './ranks.ts'
import { at, type Sample, sumOfProducts, sumOfSquares, varies, whyUnusable } from './sample.ts'

export interface Correlations {
  readonly pearson: number | null
  /** tanh(atanh r ± z/sqrt(n-3)); needs n > 3 and |r| < 1. */
  readonly pearsonInterval: Interval | null
  /** Pearson's correlation of the ranks, ties averaged. */
  readonly spearman: number | null
  /** (concordant - discordant) / sqrt((pairs - ties in x)(pairs - ties in y)). */
  readonly kendallTauB: number | null
  readonly reason: string | null
}

/**
 * Pearson, Spearman and Kendall (tau-b) correlations of two scores of the same items; no unit, from -1 to 1.
 *
 * Assumes independent items; the Pearson interval also that they are bivariate normal. Time n log n.
 * Source: Fisher 1921 (interval); Kendall 1945 (tau-b); Knight 1966 (counting of discordant pairs).
 */
export function correlations(x: Sample, y: Sample, level = 0.95): Correlations {
  requireSameLength('x', x, 'y', y)
  requireOpenUnit('level', level)
  const reason = whyUnusable(x, 'value of x') ?? whyUnusable(y, 'value of y') ?? whyNoCorrelation(x, y)
  if (reason !== null) return { pearson: null, pearsonInterval: null, spearman: null, kendallTauB: null, reason }
  const pearson = pearsonCorrelation(x, y)
  const noInterval = whyNoInterval(pearson, x.length)
  return {
    pearson,
    pearsonInterval: noInterval === null ? fisherInterval(pearson, x.length, level) : null,
    spearman: pearsonCorrelation(averageRanks(x).ranks, averageRanks(y).ranks),
    kendallTauB: kendallTauB(x, y),
    reason: noInterval,
  }
}

function whyNoCorrelation(x: Sample, y: Sample): string | null {
  if (x.length < 2) return 'A single item has no correlation; at least two are needed.'
  return varies(x) && varies(y) ? null : 'One of the two scores does not vary, so they have no correlation.'
}

function whyNoInterval(r: number, n: number): string | null {
  if (n <= 3) return `${n} items leave no interval for Pearson's correlation; at least four are needed.`
  return Math.abs(r) > 1 - 1e-14 ? 'The scores lie on a straight line, where the interval for the correlation is undefined.' : null
}

/** Pearson's correlation of two lists that both vary. */
export function pearsonCorrelation(x: Sample, y: Sample): number {
  const r = sumOfProducts(x, y) / (Math.sqrt(sumOfSquares(x)) * Math.sqrt(sumOfSquares(y)))
  return Math.max(-1, Math.min(1, r))
}

function fisherInterval(r: number, n: number, level: number): Interval {
  const halfWidth = normalCritical(level) / Math.sqrt(n - 3)
  return { low: Math.tanh(Math.atanh(r) - halfWidth), high: Math.tanh(Math.atanh(r) + halfWidth), level, method: 'fisher_z' }
}

function kendallTauB(x: Sample, y: Sample): number {
  const n = x.length
  const order = sortedOrder(x).sort((i, j) => at(x, i) - at(x, j) || at(y, i) - at(y, j))
  const sortedX = Float64Array.from(order, i => at(x, i))
  const sortedY = Float64Array.from(order, i => at(y, i))
  const tiedInX = tiedPairs(n, i => at(sortedX, i) === at(sortedX, i - 1))
  const tiedInBoth = tiedPairs(n, i => at(sortedX, i) === at(sortedX, i - 1) && at(sortedY, i) === at(sortedY, i - 1))
  const discordant = countInversions(sortedY)
  const tiedInY = tiedPairs(n, i => at(sortedY, i) === at(sortedY, i - 1))
  const pairs = (n * (n - 1)) / 2
  const score = pairs - tiedInX - tiedInY + tiedInBoth - 2 * discordant
  return score / Math.sqrt((pairs - tiedInX) * (pairs - tiedInY))
}

/** Pairs within runs of positions that equal their predecessor. */
function tiedPairs(n: number, sameAsPrevious: (i: number) => boolean): number {
  let pairs = 0
  let run = 0
  for (let i = 1; i < n; i++) {
    run = sameAsPrevious(i) ? run + 1 : 0
    pairs += run
  }
  return pairs
}

/** Number of pairs out of order; sorts `values` in place (merge sort). */
function countInversions(values: Float64Array): number {
  const buffer = new Float64Array(values.length)
  let inversions = 0
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length)
      const end = Math.min(start + 2 * width, values.length)
      let [left, right] = [start, middle]
      for (let k = start; k < end; k++) {
        const takeRight = left >= middle || (right < end && at(values, right) < at(values, left))
        if (takeRight) inversions += middle - left
        buffer[k] = at(values, takeRight ? right++ : left++)
      }
    }
    values.set(buffer)
  }
  return inversions
}
