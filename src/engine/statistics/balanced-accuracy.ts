import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'
import { symmetricInterval } from './means.ts'
import { sum } from './sample.ts'

export interface BalancedAccuracy {
  readonly mean: number | null
  readonly standardError: number | null
  readonly interval: Interval | null
  readonly reason: string | null
}

/** One class: how many of its items there are, and how many were recognized. */
export interface ClassRecall {
  readonly items: number
  readonly recognized: number
}

/**
 * Mean of the classes' recalls, with the normal interval of a mean of independent proportions: SE² = Σ r(1-r)/n / K², each rate taken
 * with two successes and two failures more (Agresti and Coull 1998), so that a class without errors still adds uncertainty.
 */
export function balancedAccuracy(classes: readonly ClassRecall[], level = 0.95): BalancedAccuracy {
  const z = normalCritical(level)
  const nothing = { mean: null, standardError: null, interval: null }
  if (classes.length < 2) return { ...nothing, reason: 'Balanced accuracy needs items of at least two classes.' }
  if (classes.some(({ items }) => items === 0)) return { ...nothing, reason: 'A class has no items.' }
  const mean = sum(classes.map(({ items, recognized }) => recognized / items)) / classes.length
  const variances = classes.map(({ items, recognized }) => {
    const rate = (recognized + 2) / (items + 4)
    return (rate * (1 - rate)) / (items + 4)
  })
  const standardError = Math.sqrt(sum(variances)) / classes.length
  const { low, high, ...rest } = symmetricInterval(mean, z * standardError, level, 'mean_of_recalls')
  return { mean, standardError, interval: { low: Math.max(0, low), high: Math.min(1, high), ...rest }, reason: null }
}
