import { requireOpenUnit, requireUnit } from './checks.ts'
import { sortedOrder } from './ranks.ts'
import { at, type Sample } from './sample.ts'

export type AdjustmentMethod = 'bonferroni' | 'holm' | 'hochberg' | 'bh' | 'by'

/**
 * p-values adjusted for m tests made together, in the order given; reject where the adjusted value is at most α.
 *
 * - `bonferroni` m p; `holm` running maximum of (m-j+1) p_(j); both control the family-wise error under any dependence.
 * - `hochberg` running minimum from the largest of (m-j+1) p_(j): family-wise, for independent or positively dependent tests.
 * - `bh` running minimum from the largest of m p_(j)/j: false discovery rate, independent or positively dependent tests.
 * - `by` the same times Σ 1/i: false discovery rate under any dependence.
 *
 * Here: Holm for claims, BH for exploration. Source: Holm 1979; Hochberg 1988; Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001.
 */
export function adjustPValues(pValues: Sample, method: AdjustmentMethod): Float64Array {
  const m = pValues.length
  for (let i = 0; i < m; i++) requireUnit(`p-value at position ${i}`, at(pValues, i))
  const factor = factorOf(method, m)
  const stepUp = method === 'hochberg' || method === 'bh' || method === 'by'
  const order = sortedOrder(pValues)
  const adjusted = new Float64Array(m)
  let running = stepUp ? 1 : 0
  for (let step = 0; step < m; step++) {
    const rank = stepUp ? m - step : step + 1
    const position = at(order, rank - 1)
    const scaled = Math.min(1, factor(rank) * at(pValues, position))
    running = stepUp ? Math.min(running, scaled) : Math.max(running, scaled)
    adjusted[position] = running
  }
  return adjusted
}

/** What the p-value of the given ascending rank (from 1) is multiplied by. */
function factorOf(method: AdjustmentMethod, m: number): (rank: number) => number {
  switch (method) {
    case 'bonferroni':
      return () => m
    case 'holm':
    case 'hochberg':
      return rank => m - rank + 1
    case 'bh':
      return rank => m / rank
    case 'by': {
      let harmonic = 0
      for (let i = 1; i <= m; i++) harmonic += 1 / i
      return rank => (m * harmonic) / rank
    }
  }
}

/** Which hypotheses Holm's procedure rejects at family-wise error `alpha`. Source: Holm 1979. */
export function holmRejections(pValues: Sample, alpha = 0.05): boolean[] {
  requireOpenUnit('alpha', alpha)
  return Array.from(adjustPValues(pValues, 'holm'), p => p <= alpha)
}
