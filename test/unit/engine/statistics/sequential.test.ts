import { describe, expect, test } from 'vitest'
import { alphaSpendingBounds } from '../../../../src/engine/statistics/alpha-spending.ts'
import { confidenceSequence, mixtureSprt } from '../../../../src/engine/statistics/normal-mixture.ts'
import { sequentialMcnemar } from '../../../../src/engine/statistics/sequential-mcnemar.ts'
import { bernoulliSprt } from '../../../../src/engine/statistics/sprt.ts'

describe('normal mixture', () => {
  test('has the likelihood ratio and its p-value', () => {
    const found = mixtureSprt({ mean: 0.1, n: 400, sigma2: 0.2, tau2: 0.0025 })
    expect(found.lambda).toBeCloseTo(1698.4198515761, 6)
    expect(found.p).toBeCloseTo(0.0005887826, 9)
    expect(mixtureSprt({ mean: 0, n: 50, sigma2: 0.25, tau2: 0.01 })).toEqual({ lambda: expect.closeTo(0.57735, 5), p: 1 })
  })

  test('has a confidence sequence wider than the interval of a fixed n', () => {
    const { interval, fixedHalfWidth } = confidenceSequence({ mean: 0.05, n: 100, sigma2: 0.25, tau2: 0.01 })
    expect(interval.low).toBeCloseTo(-0.1041194997, 9)
    expect(interval.high).toBeCloseTo(0.2041194997, 9)
    expect(fixedHalfWidth).toBeCloseTo(0.0979981992, 9)
  })

  test('is the inversion of the test: at its ends the evidence is exactly 1/α', () => {
    const running = { mean: 0.3, n: 70, sigma2: 0.5, tau2: 0.02 }
    const { interval } = confidenceSequence(running, 0.1)
    expect(mixtureSprt(running, interval.low).lambda).toBeCloseTo(10, 9)
    expect(mixtureSprt(running, interval.high).lambda).toBeCloseTo(10, 9)
  })

  test('stays finite under overwhelming evidence', () => {
    expect(mixtureSprt({ mean: 1, n: 1_000_000, sigma2: 0.01, tau2: 1 })).toEqual({ lambda: Number.MAX_VALUE, p: 0 })
  })
})

describe('sequential McNemar', () => {
  test('is 2^m / ((m+1) C(m, b)) under the flat prior', () => {
    expect(sequentialMcnemar(5, 1).eValue).toBeCloseTo(64 / (7 * 6), 12)
    expect(sequentialMcnemar(20, 8).eValue).toBeCloseTo(2.9781474675, 9)
    expect(sequentialMcnemar(20, 8).p).toBeCloseTo(0.3357792087, 9)
    expect(sequentialMcnemar(0, 0)).toEqual({ eValue: 1, p: 1 })
  })

  test('has expectation 1 under the hypothesis, which makes it an e-value', () => {
    const m = 12
    let expectation = 0
    let choose = 1
    for (let b = 0; b <= m; b++) {
      expectation += (choose / 2 ** m) * sequentialMcnemar(b, m - b, 2, 0.7).eValue
      choose = (choose * (m - b)) / (b + 1)
    }
    expect(expectation).toBeCloseTo(1, 10)
  })
})

describe("Wald's test", () => {
  test('accepts, rejects and continues', () => {
    const design = { p0: 0.5, p1: 0.7, alpha: 0.05, beta: 0.1 }
    const low = bernoulliSprt(3, 7, design)
    expect(low).toMatchObject({ decision: 'accept_h0', logLikelihoodRatio: expect.closeTo(-2.5663626565, 9) })
    expect(bernoulliSprt(20, 2, design).decision).toBe('accept_h1')
    expect(bernoulliSprt(3, 2, design)).toMatchObject({ decision: 'continue', upper: expect.closeTo(2.8903717579, 9) })
  })

  test('refuses equal rates', () => {
    expect(() => bernoulliSprt(1, 1, { p0: 0.5, p1: 0.5, alpha: 0.05, beta: 0.1 })).toThrow('both 0.5')
  })
})

describe('alphaSpendingBounds', () => {
  const fiveLooks = [0.2, 0.4, 0.6, 0.8, 1]

  test('reproduces the published bounds for five looks', () => {
    const obrien = alphaSpendingBounds({ spending: 'obrien_fleming', informationFractions: fiveLooks, alpha: 0.05, sides: 2 })
    expect(obrien.zBounds).toEqual([4.877, 3.357, 2.68, 2.29, 2.031].map(z => expect.closeTo(z, 3)))
    const pocock = alphaSpendingBounds({ spending: 'pocock', informationFractions: fiveLooks, alpha: 0.05, sides: 2 })
    expect(pocock.zBounds).toEqual([2.438, 2.427, 2.41, 2.397, 2.386].map(z => expect.closeTo(z, 3)))
    expect(pocock.cumulativeAlpha.at(-1)).toBeCloseTo(0.05, 12)
  })

  test('agrees with the bivariate normal for a one-sided plan of two looks', () => {
    const found = alphaSpendingBounds({ spending: 'pocock', informationFractions: [0.5, 1], alpha: 0.025, sides: 1 })
    expect(found.zBounds).toEqual([expect.closeTo(2.1569992, 6), expect.closeTo(2.200977, 5)])
  })

  test('is the plain test for a single look', () => {
    const found = alphaSpendingBounds({ spending: 'obrien_fleming', informationFractions: [1], alpha: 0.05, sides: 2 })
    expect(found.zBounds[0]).toBeCloseTo(1.959964, 6)
  })

  test('refuses fractions that do not rise', () => {
    expect(() => alphaSpendingBounds({ spending: 'pocock', informationFractions: [0.5, 0.5], alpha: 0.05, sides: 2 })).toThrow(
      'informationFractions[1] is 0.5',
    )
  })
})
