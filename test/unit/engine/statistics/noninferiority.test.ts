import { describe, expect, test } from 'vitest'
import { constrainedRates } from '../../../../src/engine/statistics/constrained-rates.ts'
import { noninferiorityPaired } from '../../../../src/engine/statistics/noninferiority-paired.ts'
import { noninferiorityTwoProportions } from '../../../../src/engine/statistics/noninferiority-proportions.ts'

describe('paired non-inferiority', () => {
  test('passes when the lower bound clears the margin', () => {
    const found = noninferiorityPaired(-0.01, 0.012, 0.03)
    expect(found.p).toBeCloseTo(0.0477903523, 9)
    expect(found.lowerBound).toBeCloseTo(-0.0297382435, 9)
    expect(found.noninferior).toBe(true)
    expect(found.pEquivalence).toBeCloseTo(0.0477903523, 9)
  })

  test('fails when it does not', () => expect(noninferiorityPaired(0.005, 0.02, 0.02).noninferior).toBe(false))

  test('decides nothing without a standard error', () => {
    expect(noninferiorityPaired(0, 0, 0.02)).toMatchObject({ z: null, p: null, noninferior: false, reason: expect.any(String) })
  })
})

describe('non-inferiority of independent proportions', () => {
  test('uses the rates that maximize the likelihood under the margin', () => {
    for (const [k1, n1, k2, n2, delta] of [
      [80, 100, 82, 100, -0.1],
      [45, 60, 70, 90, -0.08],
      [3, 50, 9, 31, -0.2],
    ] as const) {
      const [p1, p2] = constrainedRates({ k1, n1, k2, n2 }, delta, 'exact')
      expect(p1 - p2).toBeCloseTo(delta, 12)
      const slope = k1 / p1 - (n1 - k1) / (1 - p1) + k2 / p2 - (n2 - k2) / (1 - p2)
      expect(Math.abs(slope)).toBeLessThan(1e-8)
    }
  })

  test('agrees with a numerical maximization of the likelihood', () => {
    const even = noninferiorityTwoProportions({ successesNew: 80, trialsNew: 100, successesOld: 82, trialsOld: 100 }, 0.1)
    expect(even.zFarringtonManning).toBeCloseTo(1.4315837665, 7)
    const uneven = noninferiorityTwoProportions({ successesNew: 45, trialsNew: 60, successesOld: 70, trialsOld: 90 }, 0.08)
    expect(uneven.zFarringtonManning).toBeCloseTo(0.7245818418, 7)
    expect(uneven.zMiettinenNurminen).toBeCloseTo(0.7245818418 * Math.sqrt(149 / 150), 7)
  })

  test('is defined at rates of 1, where the Wald form is not', () => {
    const found = noninferiorityTwoProportions({ successesNew: 20, trialsNew: 20, successesOld: 20, trialsOld: 20 }, 0.1)
    expect(found.pFarringtonManning).toBeGreaterThan(0)
    expect(found).toMatchObject({ pWald: null, waldLowerBound: null, reason: expect.any(String) })
  })

  test('reproduces statsmodels 0.15 only when asked', () => {
    const counts = { successesNew: 80, trialsNew: 100, successesOld: 82, trialsOld: 100 }
    const reproduced = noninferiorityTwoProportions(counts, 0.1, 0.05, 'statsmodels_0_15')
    expect(reproduced.zFarringtonManning).toBeCloseTo(1.4192197424, 9)
    expect(reproduced.pWald).toBeCloseTo(0.0745895814, 9)
  })
})
