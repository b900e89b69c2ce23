import { describe, expect, test } from 'vitest'
import { pairedTPower, pairedTSampleSize } from '../../../../src/engine/statistics/paired-t-power.ts'
import {
  comparisonDetectableEffect,
  comparisonSampleSize,
  mcnemarSampleSize,
  noninferioritySampleSize,
  twoProportionSampleSize,
} from '../../../../src/engine/statistics/sample-size.ts'

const design = { alpha: 0.05, power: 0.8 }
const oneAnswer = { answersA: 1, answersB: 1 }

describe('sample sizes', () => {
  test("reproduces Miller's 969 questions", () => {
    const { value } = comparisonSampleSize({ omega2: 1 / 9, sigma2A: 0, sigma2B: 0, ...oneAnswer }, 0.03, design)
    expect(value?.exact).toBeCloseTo(968.9974980677886, 8)
    expect(value?.n).toBe(969)
  })

  test('is the inverse of the detectable effect', () => {
    const variances = { omega2: 0.05, sigma2A: 0.1, sigma2B: 0.2, answersA: 4, answersB: 2 }
    const effect = comparisonDetectableEffect(variances, 4597, design).value ?? 0
    expect(comparisonSampleSize(variances, effect, design).value?.n).toBe(4597)
  })

  test('has McNemar, two proportions and non-inferiority', () => {
    expect(mcnemarSampleSize(0.2, 0.05, design)).toEqual({ exact: expect.closeTo(625.5473178337, 8), n: 626 })
    expect(mcnemarSampleSize(0.2, -0.05, design).n).toBe(626)
    expect(twoProportionSampleSize(0.5, 0.6, { alpha: 0.05, power: 0.9 }).value?.n).toBe(515)
    expect(noninferioritySampleSize(0.7, 0.7, 0.1, { alpha: 0.05, power: 0.9 }).value?.n).toBe(360)
  })

  test('has no sample size against a rate that is worse by the margin', () => {
    expect(noninferioritySampleSize(0.7, 0.8, 0.1, design)).toMatchObject({ value: null, reason: expect.any(String) })
  })

  test('has the paired t test, with scipy and statsmodels', () => {
    expect(pairedTPower(50, 0.4, 0.05)).toBeCloseTo(0.7917871893, 9)
    expect(pairedTPower(12.5, 0.9, 0.01)).toBeCloseTo(0.5589908457, 9)
    expect(pairedTSampleSize(0.35, { alpha: 0.05, power: 0.95 }).exact).toBeCloseTo(108.0204381633, 5)
    expect(pairedTSampleSize(-0.2, design).n).toBe(199)
    expect(pairedTSampleSize(0.1, { alpha: 0.01, power: 0.8 }).n).toBe(1172)
  })

  test('finds the few pairs that a large effect needs', () => {
    const { exact, n } = pairedTSampleSize(5, design)
    expect(n).toBe(3)
    expect(pairedTPower(exact, 5, 0.05)).toBeCloseTo(0.8, 6)
  })

  test('refuses designs that mean nothing', () => {
    expect(() => comparisonSampleSize({ omega2: 0.1, sigma2A: 0, sigma2B: 0, ...oneAnswer }, 0, design)).toThrow('delta is 0')
    expect(() => mcnemarSampleSize(0.1, 0.2, design)).toThrow('difference is 0.2')
    expect(() => twoProportionSampleSize(0.5, 0.5, design)).toThrow('both 0.5')
    expect(() => twoProportionSampleSize(0.5, 0.6, { alpha: 0.05, power: 0.01 })).toThrow('power is 0.01')
    expect(() => pairedTSampleSize(0, design)).toThrow('d is 0')
  })
})
