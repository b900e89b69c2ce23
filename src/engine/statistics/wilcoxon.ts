import { differences } from './differences.ts'
import { normalTwoSided } from './distributions/normal.ts'
import { averageRanks } from './ranks.ts'
import { at, type Sample, whyUnusable } from './sample.ts'

export interface WilcoxonSignedRank {
  /** The smaller of the two rank sums. */
  readonly w: number | null
  /** Two-sided, normal approximation with tie correction and without continuity correction. */
  readonly p: number | null
  readonly reason: string | null
}

/**
 * Wilcoxon's signed-rank test of paired scores; zero differences are dropped.
 *
 * z = (W - m(m+1)/4) / sqrt((m(m+1)(2m+1) - Σ(t³-t)/2)/24) for m non-zero differences with tied groups of size t.
 * Assumes independent questions and differences symmetric about their center; rough below about ten non-zero differences.
 * Source: Wilcoxon 1945; as scipy's `wilcoxon(zero_method="wilcox", method="approx")`.
 */
export function wilcoxonSignedRank(a: Sample, b: Sample): WilcoxonSignedRank {
  const all = differences(a, b)
  const unusable = whyUnusable(all, 'difference')
  if (unusable !== null) return { w: null, p: null, reason: unusable }
  const d = all.filter(difference => difference !== 0)
  const m = d.length
  if (m === 0) return { w: null, p: null, reason: 'All differences are zero, so there is nothing to rank.' }
  const { ranks, tieCubes } = averageRanks(d.map(Math.abs))
  let positive = 0
  d.forEach((difference, i) => {
    if (difference > 0) positive += at(ranks, i)
  })
  const w = Math.min(positive, (m * (m + 1)) / 2 - positive)
  const spread = Math.sqrt((m * (m + 1) * (2 * m + 1) - tieCubes / 2) / 24)
  return { w, p: normalTwoSided((w - (m * (m + 1)) / 4) / spread), reason: null }
}
