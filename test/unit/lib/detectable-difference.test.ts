import { describe, expect, it } from 'vitest'
import { comparisonDetectableEffect } from '../../../src/engine/statistics/sample-size.ts'
import { detectableDifference, plannedDetectableDifference } from '../../../src/lib/detectable-difference.ts'

describe('the smallest difference that is missed at most one time in five', () => {
  it("reproduces Miller's example with 198 questions", () => {
    expect(plannedDetectableDifference(198, 1)).toBeCloseTo(0.1327333279, 9)
  })

  it.each([20, 198, 1319])('is the same for %i tasks by every way to ask for it', tasks => {
    const variances = { omega2: 1 / 9, sigma2A: 1 / 6, sigma2B: 1 / 6, answersA: 3, answersB: 3 }
    const { value } = comparisonDetectableEffect(variances, tasks, { alpha: 0.05, power: 0.8 })
    expect(plannedDetectableDifference(tasks, 3)).toBeCloseTo(value ?? Number.NaN, 12)
    expect(detectableDifference(1 / 9 + 1 / 9, tasks)).toBeCloseTo(value ?? Number.NaN, 12)
  })

  it('is missed one time in five', () => {
    // Normal differences of exactly that size: how often |mean| / SE stays under 1.96, by the distribution of the test statistic.
    const [variance, tasks] = [0.3, 400]
    const shift = detectableDifference(variance, tasks) / Math.sqrt(variance / tasks)
    const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    const step = 0.0005
    let missed = 0
    for (let z = -1.959964; z < 1.959964; z += step) missed += density(z - shift) * step
    expect(missed).toBeCloseTo(0.2, 3)
  })

  it('shrinks with tasks and with epochs', () => {
    expect(plannedDetectableDifference(400, 1)).toBeLessThan(plannedDetectableDifference(100, 1) ?? 0)
    expect(plannedDetectableDifference(100, 4)).toBeLessThan(plannedDetectableDifference(100, 1) ?? 0)
  })

  it('is nothing where there is nothing to tell', () => {
    for (const tasks of [0, Number.NaN, 3]) expect(plannedDetectableDifference(tasks, 1)).toBeNull()
  })
})
