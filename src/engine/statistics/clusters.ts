import { tCritical } from './distributions/student-t.ts'
import { defined, type Estimate, type Interval, undefinedBecause, unless } from './estimate.ts'
import { totalsByKey } from './groups.ts'
import { NO_VARIATION, symmetricInterval } from './means.ts'
import { at, mean, type Sample, sum, sumOfSquares, varies, whyUnusable } from './sample.ts'

/** Below this many clusters the CR1 interval is known to be unreliable, and results say so. */
export const FEW_CLUSTERS = 20

export function fewClustersCaution(clusters: number): string {
  return `Only ${clusters} clusters: below ${FEW_CLUSTERS} a clustered interval is unreliable.`
}

/** Squared cluster sums below this share of the sum of squares are rounding, not variation. */
const ROUNDING = 1e-24

export interface ClusteredErrors {
  readonly clusters: number
  readonly mean: number | null
  /** SE_CLT, which ignores the clusters. */
  readonly naive: number | null
  /** sqrt( SE_CLT² + (1/n²) Σ_c Σ_{i≠j in c} (s_i-m)(s_j-m) ); Miller 2024, main text. */
  readonly miller: number | null
  /** sqrt( Σ_c (Σ_{i in c} (s_i-m))² ) / n; Liang & Zeger 1986. */
  readonly cr0: number | null
  /** CR0 sqrt(C/(C-1)): the one used here. */
  readonly cr1: number | null
  readonly reason: string | null
}

/**
 * Standard errors of a mean whose values come in clusters (questions on one passage), in the unit of the values.
 *
 * Assumes independent clusters and allows any dependence inside one. The three published forms differ; results of this
 * application use CR1, which equals statsmodels' `cov_type="cluster"` for a mean and reduces to SE_CLT for clusters of one.
 */
export function clusteredStandardErrors(values: Sample, clusters: readonly string[]): ClusteredErrors {
  const n = values.length
  const { labels, sums, sizes } = totalsByKey(values, clusters)
  const count = labels.length
  const unusable = whyUnusable(values)
  if (unusable !== null) return { clusters: count, mean: null, naive: null, miller: null, cr0: null, cr1: null, reason: unusable }
  const center = mean(values)
  const squares = sumOfSquares(values)
  let betweenSquares = 0
  for (let c = 0; c < count; c++) betweenSquares += (at(sums, c) - at(sizes, c) * center) ** 2
  if (betweenSquares < squares * ROUNDING || squares === 0) betweenSquares = 0
  const reason = count < 2 ? 'All values belong to one cluster; a clustered standard error needs at least two clusters.' : null
  const naive = n < 2 ? null : Math.sqrt(squares / (n - 1) / n)
  return {
    clusters: count,
    mean: center,
    naive,
    // Σ_{i≠j in c} of products is the squared cluster sum less its own squares
    miller: unless(reason, () => Math.sqrt(Math.max(0, squares / (n - 1) / n + (betweenSquares - squares) / n ** 2))),
    cr0: unless(reason, () => Math.sqrt(betweenSquares) / n),
    cr1: unless(reason, () => (Math.sqrt(betweenSquares) / n) * Math.sqrt(count / (count - 1))),
    reason,
  }
}

/** Interval mean ± t(C-1) CR1 for C clusters; unreliable below `FEW_CLUSTERS`. Source: Cameron & Miller 2015, section VI. */
export function meanIntervalClustered(values: Sample, clusters: readonly string[], level = 0.95): Estimate<Interval> {
  const { mean: center, cr1, clusters: count, reason } = clusteredStandardErrors(values, clusters)
  if (center === null || cr1 === null) return undefinedBecause(reason ?? '')
  if (!varies(values)) return undefinedBecause(NO_VARIATION)
  if (cr1 === 0) return undefinedBecause('The clusters do not differ at all, so the data say nothing about how far the mean could be off.')
  return defined(symmetricInterval(center, cr1 * tCritical(level, count - 1), level, 'cr1_t'))
}

export interface DesignEffect {
  /** ICC(1): may be negative when values within a cluster differ more than those of different clusters. */
  readonly icc: number | null
  /** Mean cluster size, corrected for unequal sizes. */
  readonly averageSize: number | null
  /** Factor by which clustering multiplies the variance of the mean. */
  readonly designEffect: number | null
  readonly reason: string | null
}

/**
 * Intraclass correlation (MSB-MSW)/(MSB+(n0-1)MSW) of one-way analysis of variance, n0 = (n - Σn_c²/n)/(C-1), and the design
 * effect 1+(n0-1)ICC. Assumes exchangeable values within a cluster. Source: Donner & Koval 1980; Kish 1965.
 */
export function intraclassCorrelation(values: Sample, clusters: readonly string[]): DesignEffect {
  const n = values.length
  const { labels, sums, sizes } = totalsByKey(values, clusters)
  const count = labels.length
  const reason = whyUnusable(values) ?? whyNoIntraclass(values, n, count)
  if (reason !== null) return { icc: null, averageSize: null, designEffect: null, reason }
  const center = mean(values)
  let between = 0
  for (let c = 0; c < count; c++) between += at(sizes, c) * (at(sums, c) / at(sizes, c) - center) ** 2
  const meanBetween = between / (count - 1)
  const meanWithin = Math.max(0, sumOfSquares(values) - between) / (n - count)
  const averageSize = (n - sum(sizes.map(size => size * size)) / n) / (count - 1)
  const icc = (meanBetween - meanWithin) / (meanBetween + (averageSize - 1) * meanWithin)
  return { icc, averageSize, designEffect: 1 + (averageSize - 1) * icc, reason: null }
}

function whyNoIntraclass(values: Sample, n: number, clusters: number): string | null {
  if (clusters < 2) return 'All values belong to one cluster; an intraclass correlation needs at least two.'
  if (clusters === n) return 'Every cluster has one value, so nothing is known about variation within clusters.'
  return varies(values) ? null : NO_VARIATION
}
