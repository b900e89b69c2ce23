import { describe, expect, test } from 'vitest'
import { mcnemar } from '../../../src/engine/statistics/mcnemar.ts'
import { mulberry32 } from '../../../src/engine/statistics/random.ts'
import { comparisonDetectableEffect } from '../../../src/engine/statistics/sample-size.ts'
import { detectableDifference, epochsOfEvidence, plannedDetectableDifference } from '../../../src/lib/detectable-difference.ts'
import { exactPower, mcnemarDetectableDifference } from '../../../src/lib/mcnemar-power.ts'

/** How often the exact test finds a difference between two models with independent errors. */
function simulatedPower(tasks: number, difference: number, runs: number): number {
  const next = mulberry32(7)
  const p = new Map<string, number>()
  let found = 0
  for (let run = 0; run < runs; run++) {
    let [wins, losses] = [0, 0]
    for (let task = 0; task < tasks; task++) {
      const better = next() < 0.5 + difference / 2
      const worse = next() < 0.5 - difference / 2
      if (better && !worse) wins++
      if (worse && !better) losses++
    }
    const key = `${wins} ${losses}`
    const value = p.get(key) ?? mcnemar(wins, losses).pExact
    p.set(key, value)
    if (value <= 0.05) found++
  }
  return found / runs
}

describe('the smallest difference that is missed at most one time in five', () => {
  test.each([50, 200])('is found four times in five by the exact test on %i simulated tasks', tasks => {
    const difference = plannedDetectableDifference(tasks, 1) ?? 0
    // Standard error of 3,000 simulated runs: 0.7 points.
    expect(Math.abs(simulatedPower(tasks, difference, 3_000) - 0.8)).toBeLessThan(0.025)
  })

  test('of a comparison whose models disagree on 31 % of 200 tasks is 11.3 points, not the 11.0 of a normal test', () => {
    expect(mcnemarDetectableDifference(200, () => 0.31)).toBeCloseTo(0.1131, 3)
    expect(exactPower(200, 0.31, 0.092)).toBeCloseTo(0.62, 1)
  })

  test('passes smoothly from the exact test to its approximation', () => {
    const [exact, near] = [499, 505].map(tasks => mcnemarDetectableDifference(tasks, () => 0.5) ?? 0)
    expect(exact).toBeGreaterThan(near ?? 1)
    expect((exact ?? 0) - (near ?? 0)).toBeLessThan(0.001)
  })

  test.each([20, 198, 1319])('of means over epochs is the same for %i tasks by every way to compute it', tasks => {
    const variances = { omega2: 1 / 6, sigma2A: 1 / 6, sigma2B: 1 / 6, answersA: 3, answersB: 3 }
    const { value } = comparisonDetectableEffect(variances, tasks, { alpha: 0.05, power: 0.8 })
    expect(plannedDetectableDifference(tasks, 3)).toBeCloseTo(value ?? Number.NaN, 12)
    expect(detectableDifference(1 / 6 + 1 / 9, tasks)).toBeCloseTo(value ?? Number.NaN, 12)
  })

  test('shrinks with tasks and with epochs, but not with epochs at temperature 0', () => {
    expect(plannedDetectableDifference(400, 1)).toBeLessThan(plannedDetectableDifference(100, 1) ?? 0)
    expect(plannedDetectableDifference(100, epochsOfEvidence(4, 0.7))).toBeLessThan(plannedDetectableDifference(100, 1) ?? 0)
    expect(plannedDetectableDifference(100, epochsOfEvidence(4, 'none'))).toBeLessThan(plannedDetectableDifference(100, 1) ?? 0)
    expect(plannedDetectableDifference(50, epochsOfEvidence(3, 0))).toBe(plannedDetectableDifference(50, 1))
  })

  test('is nothing where even the largest difference is missed', () => {
    for (const tasks of [0, Number.NaN, 3]) expect(plannedDetectableDifference(tasks, 1)).toBeNull()
  })
})
