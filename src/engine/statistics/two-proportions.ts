import { requireSuccesses } from './checks.ts'
import { hypergeometricPmf } from './distributions/hypergeometric.ts'
import { normalCritical, normalTwoSided } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'
import { wilsonBounds } from './proportions.ts'

/** Tables whose probability exceeds the observed one by no more than this share count as equally extreme. */
const TIE = 1e-7

export interface TwoProportions {
  /** p1 - p2. */
  readonly difference: number | null
  /** Newcombe's hybrid of the two Wilson intervals. */
  readonly interval: Interval | null
  /** (p1 - p2) / sqrt(p(1-p)(1/n1 + 1/n2)) with the pooled p. */
  readonly zPooled: number | null
  readonly pPooled: number | null
  /** Fisher's exact two-sided p-value: all tables of the same margins no likelier than the one observed. */
  readonly pFisher: number | null
  readonly reason: string | null
}

/**
 * Two independent proportions: k1 of n1 against k2 of n2.
 *
 * Assumes independent trials within and between the groups; for the same questions use `mcnemar` and `tangoInterval`.
 * Source: Newcombe 1998 (method 10); pooled z: any statistics text; Fisher 1934.
 */
export function twoProportions(k1: number, n1: number, k2: number, n2: number, level = 0.95): TwoProportions {
  requireSuccesses(k1, n1)
  requireSuccesses(k2, n2)
  const z = normalCritical(level)
  if (n1 === 0 || n2 === 0) {
    return { difference: null, interval: null, zPooled: null, pPooled: null, pFisher: null, reason: 'One of the groups has no trials.' }
  }
  const [p1, p2] = [k1 / n1, k2 / n2]
  const difference = p1 - p2
  const [low1, high1] = wilsonBounds(p1, n1, z)
  const [low2, high2] = wilsonBounds(p2, n2, z)
  const interval: Interval = {
    low: Math.max(-1, difference - Math.hypot(p1 - low1, high2 - p2)),
    high: Math.min(1, difference + Math.hypot(high1 - p1, p2 - low2)),
    level,
    method: 'newcombe',
  }
  const pooled = (k1 + k2) / (n1 + n2)
  const pFisher = fisherTwoSided(k1, n1, k2, n2)
  if (pooled === 0 || pooled === 1) {
    const reason = 'All outcomes are equal, so the pooled standard error is 0 and z is undefined.'
    return { difference, interval, zPooled: null, pPooled: null, pFisher, reason }
  }
  const zPooled = difference / Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
  return { difference, interval, zPooled, pPooled: normalTwoSided(zPooled), pFisher, reason: null }
}

function fisherTwoSided(k1: number, n1: number, k2: number, n2: number): number {
  const drawn = k1 + k2
  const observed = hypergeometricPmf(k1, n1, n2, drawn)
  let total = 0
  for (let x = Math.max(0, drawn - n2); x <= Math.min(n1, drawn); x++) {
    const probability = hypergeometricPmf(x, n1, n2, drawn)
    if (probability <= observed * (1 + TIE)) total += probability
  }
  return Math.min(1, total)
}
