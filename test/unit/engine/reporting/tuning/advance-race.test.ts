import { describe, expect, test } from 'vitest'
import { advanceRace, type RaceRules, type RacingArm } from '../../../../../src/engine/reporting/tuning/advance-race.ts'

const at = '2026-11-24T00:00:00.000Z'
const rules: RaceRules = {
  margin: 0.1,
  alpha: 0.05,
  candidates: 2,
  shares: [0.2, 0.4, 0.6, 0.8, 1],
  mode: 'race',
  clusters: null,
  betterFactor: null,
}
/** `n` cases at the cost, the first of them wrong. */
const raced = (arm: number, n: number, cost: number, changes: Partial<RacingArm> & { readonly wrong?: number } = {}): RacingArm => {
  const { wrong = 0, ...rest } = changes
  const outcomes = Array.from({ length: n }, (_, i) => ({ value: i < wrong ? 0 : 1, cost, latencyMs: 10 }))
  return { arm, verdict: null, outcomes, reachedLook: true, priced: true, keepsLatency: true, isSuperior: false, ...rest }
}
const verdicts = (look: number, arms: readonly RacingArm[], changes: Partial<RaceRules> = {}) => {
  const { arms: steps, then } = advanceRace({ ...rules, ...changes }, look, arms, at)
  return { then, steps: steps.map(({ arm, verdict, reason }) => ({ arm, verdict, reason })) }
}

describe('a step of a race', () => {
  test('waits for the current call before it judges anyone', () => {
    expect(verdicts(0, [raced(0, 90, 10, { reachedLook: false }), raced(1, 100, 1)])).toEqual({ then: 'wait', steps: [] })
  })

  test('judges a candidate that has reached the look while another has not', () => {
    const { then, steps } = verdicts(0, [raced(0, 100, 10), raced(1, 100, 1, { wrong: 90 }), raced(2, 7, 1, { reachedLook: false })])
    expect(steps).toEqual([{ arm: 1, verdict: 'dropped', reason: 'futile' }])
    expect(then).toBe('wait')
  })

  test('stops a dearer arm in the middle of its look once a cheaper one is accepted', () => {
    const { then, steps } = verdicts(2, [raced(0, 300, 10), raced(1, 300, 1), raced(2, 211, 5, { reachedLook: false })])
    expect(steps).toEqual([
      { arm: 1, verdict: 'accepted', reason: 'noninferior' },
      { arm: 2, verdict: 'dropped', reason: 'not_needed' },
    ])
    expect(then).toBe('done')
  })

  test('lets a cheaper arm go on after an acceptance, and one of unknown cost too', () => {
    const open = { reachedLook: false }
    expect(verdicts(2, [raced(0, 300, 10), raced(1, 300, 5), raced(2, 211, 1, open)])).toMatchObject({ then: 'wait' })
    const unpriced = raced(2, 211, 0, { ...open, priced: false })
    expect(verdicts(2, [raced(0, 300, 10), raced(1, 300, 1), unpriced]).steps.map(({ arm }) => arm)).toEqual([1])
  })

  test('drops no arm for one that is not shown to be quick enough', () => {
    const slow = raced(1, 300, 1, { keepsLatency: false })
    const { steps } = verdicts(2, [raced(0, 300, 10), slow, raced(2, 211, 5, { reachedLook: false })])
    expect(steps.map(({ arm, verdict }) => [arm, verdict])).toEqual([[1, 'accepted']])
  })

  test('drops what does not cost less than the current call, whatever its quality', () => {
    expect(verdicts(0, [raced(0, 100, 10), raced(1, 100, 10)]).steps).toEqual([{ arm: 1, verdict: 'dropped', reason: 'not_cheaper' }])
    const { steps } = verdicts(0, [raced(0, 500, 10), raced(1, 500, 10)], { mode: 'full', shares: [1] })
    expect(steps).toMatchObject([{ arm: 1, verdict: 'accepted' }])
  })

  test('accepts one of equal price that is better, and one that is dearer only within the factor', () => {
    const current = raced(0, 500, 10, { wrong: 100 })
    const better = { betterFactor: 1 }
    expect(verdicts(4, [current, raced(1, 500, 10)], better).steps).toEqual([{ arm: 1, verdict: 'accepted', reason: 'superior' }])
    expect(verdicts(4, [current, raced(1, 500, 11)], better).steps).toMatchObject([{ reason: 'not_cheaper' }])
    expect(verdicts(4, [current, raced(1, 500, 11)], { betterFactor: 1.2 }).steps).toMatchObject([{ reason: 'superior' }])
    // As good is not better, and goes on to the end.
    expect(verdicts(4, [current, raced(1, 500, 10, { wrong: 100 })], better).steps).toMatchObject([{ verdict: 'undecided' }])
    expect(verdicts(4, [current, raced(1, 500, 10, { wrong: 300 })], better).steps).toMatchObject([
      { verdict: 'dropped', reason: 'not_better' },
    ])
  })

  test('is not hastened by an arm that was accepted for being better', () => {
    const arms = [raced(0, 300, 10), raced(1, 300, 10, { verdict: 'accepted', isSuperior: true }), raced(2, 300, 5)]
    const [step] = advanceRace({ ...rules, betterFactor: 1 }, 2, arms, at).arms
    const [alone] = advanceRace(rules, 2, [raced(0, 300, 10), raced(2, 300, 5)], at).arms
    expect(step?.look?.bound).toBe(alone?.look?.bound)
  })

  test('leaves undecided, and not dropped as dear, what is compared with a current call that failed', () => {
    const down = raced(0, 100, 0)
    const outcomes = down.outcomes.map(outcome => ({ ...outcome, value: null }))
    expect(verdicts(0, [{ ...down, outcomes }, raced(1, 100, 1)]).steps).toEqual([{ arm: 1, verdict: 'undecided', reason: 'missing' }])
  })

  test('goes on to the next look with every open arm, and ends when none is open', () => {
    expect(verdicts(0, [raced(0, 20, 10), raced(1, 20, 1), raced(2, 20, 1)]).then).toBe('next')
    expect(verdicts(1, [raced(0, 40, 10), raced(1, 40, 1, { verdict: 'accepted' })])).toEqual({ then: 'done', steps: [] })
  })

  test('gives each look the interval whose lower end passes the margin exactly where the candidate is accepted', () => {
    for (const wrong of [0, 5, 12, 18, 30]) {
      const [step] = advanceRace({ ...rules, candidates: 1 }, 2, [raced(0, 300, 10), raced(1, 300, 1, { wrong })], at).arms
      const low = step?.look?.difference.interval?.low ?? Number.NaN
      expect(low > -rules.margin).toBe(step?.verdict === 'accepted')
    }
  })

  test('gives clustered cases without a difference an interval with a width, by their clusters', () => {
    const clusters = Array.from({ length: 500 }, (_, i) => `thread ${Math.floor(i / 25)}`)
    for (const [n, margin] of [
      [300, 0.1],
      [300, 0.6],
      [500, 0.3],
    ] as const) {
      const look = n / 100 - 1
      const changed = { ...rules, candidates: 1, clusters, margin }
      const [step] = advanceRace(changed, look, [raced(0, n, 10), raced(1, n, 1)], at).arms
      const { low = 0, high = 0 } = step?.look?.difference.interval ?? {}
      expect(low).toBeLessThan(0)
      expect(high).toBeGreaterThan(0)
      expect(low > -margin).toBe(step?.verdict === 'accepted')
    }
  })
})
