import { describe, expect, test } from 'vitest'
import { binomialPmf } from '../../../../src/engine/statistics/distributions/binomial.ts'
import { chiSquaredSf } from '../../../../src/engine/statistics/distributions/chi-squared.ts'
import { drawBinomial, drawNormal, mulberry32 } from '../../../../src/engine/statistics/random.ts'
import { mean, variance } from '../../../../src/engine/statistics/sample.ts'

describe('mulberry32', () => {
  test('gives the published sequence', () => {
    const random = mulberry32(42)
    expect([random(), random(), random(), random()]).toEqual([
      0.6011037519201636, 0.44829055899754167, 0.8524657934904099, 0.6697340414393693,
    ])
    expect(mulberry32(3735928559)()).toBe(0.9413696140982211)
  })
})

describe('drawBinomial', () => {
  /** Chi-squared goodness of fit over the counts with an expectation of at least 5, the rest pooled. */
  function fit(trials: number, p: number, seed: number): number {
    const draws = 20_000
    const random = mulberry32(seed)
    const seen = new Float64Array(trials + 1)
    for (let i = 0; i < draws; i++) {
      const count = drawBinomial(trials, p, random)
      seen[count] = (seen[count] ?? 0) + 1
    }
    let statistic = 0
    let cells = 0
    let restSeen = draws
    let restExpected = draws
    for (const [k, count] of seen.entries()) {
      const expected = draws * binomialPmf(k, trials, p)
      if (expected < 5) continue
      statistic += (count - expected) ** 2 / expected
      cells++
      restSeen -= count
      restExpected -= expected
    }
    if (restExpected >= 1) {
      statistic += (restSeen - restExpected) ** 2 / restExpected
      cells++
    }
    return chiSquaredSf(statistic, cells - 1)
  }

  test.each([
    [7, 0.3],
    [40, 0.2],
    [100, 0.5],
    [1000, 0.03],
    [5000, 0.93],
  ])('follows the binomial of %d trials and probability %d', (trials, p) => {
    expect(fit(trials, p, 4)).toBeGreaterThan(0.001)
  })

  test('is exact at probabilities 0 and 1 and for no trials', () => {
    const random = mulberry32(1)
    expect([drawBinomial(10, 0, random), drawBinomial(10, 1, random), drawBinomial(0, 0.5, random)]).toEqual([0, 10, 0])
  })
})

describe('drawNormal', () => {
  test('has mean 0 and variance 1', () => {
    const random = mulberry32(9)
    const draws = Float64Array.from({ length: 20_000 }, () => drawNormal(random))
    expect(Math.abs(mean(draws))).toBeLessThan(0.03)
    expect(variance(draws)).toBeCloseTo(1, 1)
  })

  test('survives the smallest and the largest random number', () => {
    expect(drawNormal(() => 0)).toBeCloseTo(-6.3379, 3)
    expect(drawNormal(() => 1 - 2 ** -32)).toBeCloseTo(6.3379, 3)
  })
})
