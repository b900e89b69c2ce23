import type { Difference } from '../../../contract/index.ts'
import { adjustPValues } from '../../statistics/adjustments.ts'

type Unjudged = Omit<Difference, 'p_adjusted' | 'verdict'>

/**
 * Adjusts the p-values of all differences of a comparison together by Holm's method and says what each has shown: better or worse
 * only where the adjusted test is significant and the interval does not reach 0.
 */
export function judgeDifferences(differences: readonly Unjudged[], level: number): Difference[] {
  const adjusted = adjustPValues(
    differences.flatMap(({ p }) => (p === null ? [] : [p])),
    'holm',
  )
  let next = 0
  return differences.map(difference => {
    const p = difference.p === null ? null : (adjusted[next++] ?? null)
    return { ...difference, p_adjusted: p, verdict: verdictOf(difference, p, level) }
  })
}

function verdictOf({ interval }: Unjudged, p: number | null, level: number): Difference['verdict'] {
  // 1 - 0.95 is a hair above 0.05 in binary; the rounding keeps a p of exactly that on the side where people put it.
  const alpha = Number((1 - level).toFixed(12))
  if (p === null || interval === null || p > alpha) return 'not_shown'
  if (interval.low > 0) return 'better'
  return interval.high < 0 ? 'worse' : 'not_shown'
}
