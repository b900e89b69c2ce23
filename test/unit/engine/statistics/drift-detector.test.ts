import { describe, expect, test } from 'vitest'
import { driftBounds, newDriftState, watchDrift } from '../../../../src/engine/statistics/drift-detector.ts'
import { falseAlarms, meanDelay } from '../../../support/simulate-drift.ts'

const at80 = { floor: 0.8, ceiling: 0.8 }

describe('the drift detector', () => {
  test('advances as the formula says', () => {
    const { path, state } = watchDrift(newDriftState(), [0, 1], { floor: 0.5, ceiling: 1 }, 10_000)
    // The bets are doubled by 1 − m₀ = 0.5: (0 + 1)(1 + 2·bet·0.5), then (M + 1)(1 − 2·bet·0.5).
    const bets = [0.02, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.85]
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(path[0]?.fall).toBeCloseTo(mean(bets.map(bet => 1 + bet)), 12)
    expect(path[1]?.fall).toBeCloseTo(mean(bets.map(bet => (2 + bet) * (1 - bet))), 12)
    expect(state.fall).toHaveLength(8)
    expect(path.map(({ rise }) => rise)).toEqual([0, 0])
  })

  test('continues from a stored state as if uninterrupted', () => {
    const scores = Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 0 : 1))
    const whole = watchDrift(newDriftState(), scores, at80, 50)
    const first = watchDrift(newDriftState(), scores.slice(0, 37), at80, 50)
    const second = watchDrift(JSON.parse(JSON.stringify(first.state)), scores.slice(37), at80, 50)
    expect(second.state).toEqual(whole.state)
    expect([...first.alarms, ...second.alarms.map(alarm => ({ ...alarm, index: alarm.index + 37 }))]).toEqual(whole.alarms)
    expect(whole.alarms.length).toBeGreaterThan(0)
  })

  test('starts again after an alarm, each side by itself', () => {
    const { alarms, path } = watchDrift(
      newDriftState(),
      Array.from({ length: 60 }, () => 0),
      at80,
      1000,
    )
    expect(alarms[0]?.kind).toBe('regression')
    expect(path[(alarms[0]?.index ?? 0) + 1]?.fall).toBeLessThan(10)
    expect(alarms.length).toBeGreaterThan(1)
    expect(
      watchDrift(
        newDriftState(),
        Array.from({ length: 400 }, () => 1),
        at80,
        1000,
      ).alarms[0]?.kind,
    ).toBe('improvement')
  })

  test('sees no fall below a floor of 0 and no rise above a ceiling of 1', () => {
    const bounds = driftBounds({ low: 0.01, high: 0.99 }, 0.02)
    expect(
      watchDrift(
        newDriftState(),
        Array.from({ length: 500 }, (_, i) => i % 2),
        bounds,
        100,
      ).alarms,
    ).toEqual([])
  })

  test('refuses scores that are none', () => {
    expect(() => watchDrift(newDriftState(), [Number.NaN], at80, 100)).toThrow('position 0')
    expect(() => watchDrift(newDriftState(), [1.01], at80, 100)).toThrow('1.01')
    expect(() => watchDrift(newDriftState(), [1], at80, 0)).toThrow('run length')
  })

  // 400 streams of 1,000 outputs at A = 1,000: at most 400 alarms of a side are expected.
  test.each([
    ['independent', (_: number, random: () => number) => (random() < 0.8 ? 1 : 0)],
    ['scores between', (_: number, random: () => number) => Math.min(1, 0.6 + 0.4 * random())],
  ])('keeps the mean run to a false alarm for %s outputs', (_, score) => {
    const found = falseAlarms({ bounds: at80, runLength: 1000 }, 400, 1000, score)
    expect(found.regression).toBeLessThan(400)
    expect(found.improvement).toBeLessThan(400)
  })

  test('does not keep it for outputs that come in clusters of equal ones', () => {
    let cluster = 1
    const found = falseAlarms({ bounds: at80, runLength: 1000 }, 40, 1000, (at, random) => {
      if (at % 5 === 0) cluster = random() < 0.8 ? 1 : 0
      return cluster
    })
    expect(found.regression).toBeGreaterThan(40)
  })

  // Delays as designed, within Monte Carlo error; `npm run bench -- drift` repeats them 2,000 times.
  test.each([
    [0.8, 0.7, 180, 50],
    [0.8, 0.6, 60, 12],
    [0.78, 0.7, 284, 60],
    [0.78, 0.6, 77, 14],
  ])('with m₀ = %d sees a fall from 0.80 to %d after about %d outputs', (floor, after, expected, error) => {
    const delay = meanDelay({ bounds: { floor, ceiling: 1 }, runLength: 10_000, before: 0.8, after, quiet: 300 }, 120, 7)
    expect(Math.abs(delay - expected)).toBeLessThan(error)
  })
})
