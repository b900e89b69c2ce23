import type { Difference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { adjustPValues } from '../../statistics/adjustments.ts'
import { type MeasuredDifference, measureDifference, type TaskValues } from './measure-difference.ts'

type Facts = Omit<Difference, keyof MeasuredDifference | 'p_adjusted' | 'verdict'>

/** A difference before it is seen among the others of its comparison. */
export interface Unjudged {
  readonly facts: Facts
  readonly values: TaskValues
}

interface Measured extends Unjudged {
  readonly measured: MeasuredDifference
}

/**
 * Measures all differences of a comparison, adjusts the p-values of those that are tested by Holm's method, and says what each has shown.
 * The interval of a test is at the level of its step in Holm's order, 1 - α/(m-j+1), so that interval and verdict do not contradict each
 * other; what is not tested keeps the nominal level.
 */
export function judgeDifferences(differences: readonly Unjudged[], level: number, seed: number): Difference[] {
  const measured = differences.map(
    (difference): Measured => ({ ...difference, measured: measureDifference(difference.values, level, seed) }),
  )
  const family = measured.filter(({ facts, measured: { p } }) => facts.tested && p !== null)
  const adjusted = adjustPValues(
    family.map(({ measured: { p } }) => p ?? 1),
    'holm',
  )
  const steps = holmSteps(
    family.map(({ measured: { p } }) => p ?? 1),
    alphaOf(level),
  )
  return measured.map(difference => {
    const place = family.indexOf(difference)
    const { facts, values } = difference
    if (!facts.tested) return { ...facts, ...difference.measured, p_adjusted: null, verdict: 'not_tested' }
    const tests = steps[place] ?? 1
    // Holm compares its p with α over the tests that are left.
    const own = tests > 1 ? measureDifference(values, 1 - alphaOf(level) / tests, seed) : difference.measured
    const shown = { ...own, minimum_detectable_difference: difference.measured.minimum_detectable_difference }
    const p = place < 0 ? null : (adjusted[place] ?? null)
    return { ...facts, ...shown, p_adjusted: p, verdict: verdictOf(shown, p, level) }
  })
}

/** How many tests were left when each was decided; what is not rejected was decided with the first that was not. */
function holmSteps(pValues: readonly number[], alpha: number): number[] {
  const order = pValues.map((p, i) => ({ p, i })).sort((a, b) => a.p - b.p)
  const steps = pValues.map(() => 1)
  let stopped: number | null = null
  for (const [rank, { p, i }] of order.entries()) {
    const left = pValues.length - rank
    if (stopped === null && p > alpha / left) stopped = left
    steps[i] = stopped ?? left
  }
  return steps
}

/** 1 - 0.95 is a hair above 0.05 in binary; the rounding keeps a p of exactly that on the side where people put it. */
function alphaOf(level: number): number {
  return Number((1 - level).toFixed(12))
}

function verdictOf({ interval }: MeasuredDifference, p: number | null, level: number): Difference['verdict'] {
  if (p === null || interval === null || p > alphaOf(level)) return 'not_shown'
  if (interval.low > 0) return 'better'
  return interval.high < 0 ? 'worse' : 'not_shown'
}
