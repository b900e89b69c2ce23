import { describe, expect, it } from 'vitest'
import { minimumDetectableEffect } from '../../../../src/engine/statistics/detectable-effect.ts'
import { detectableDifference } from '../../../../src/renderer/quotes/detectable-difference.ts'

describe('the smallest difference that a sample could show', () => {
  it.each([1, 5, 20, 50, 200, 1319, 14_042])('is what the quote will say, for %i tasks', tasks => {
    for (const epochs of [1, 3, 10]) {
      const said = minimumDetectableEffect({ tasks, epochs, rate: 0.5 }).paired
      const told = detectableDifference(tasks, epochs)
      if (said === null) expect(told).toBeNull()
      else expect(told).toBeCloseTo(said, 10)
    }
  })

  it('shrinks with tasks and with epochs', () => {
    expect(detectableDifference(400, 1)).toBeLessThan(detectableDifference(100, 1) ?? 0)
    expect(detectableDifference(100, 4)).toBeLessThan(detectableDifference(100, 1) ?? 0)
  })

  it('is nothing where there is nothing to tell', () => {
    expect(detectableDifference(0, 1)).toBeNull()
    expect(detectableDifference(Number.NaN, 1)).toBeNull()
    expect(detectableDifference(3, 1)).toBeNull()
  })
})
