import { describe, expect, test } from 'vitest'
import { betaCdf, betaQuantile } from '../../../../src/engine/statistics/distributions/beta.ts'
import { binomialCdf, binomialPmf, signTest } from '../../../../src/engine/statistics/distributions/binomial.ts'
import { chiSquaredSf } from '../../../../src/engine/statistics/distributions/chi-squared.ts'
import { logGamma, upperGamma } from '../../../../src/engine/statistics/distributions/gamma.ts'
import { hypergeometricPmf } from '../../../../src/engine/statistics/distributions/hypergeometric.ts'
import { noncentralTCdf } from '../../../../src/engine/statistics/distributions/noncentral-t.ts'
import { normalCdf, normalQuantile, normalSf } from '../../../../src/engine/statistics/distributions/normal.ts'
import { tCdf, tQuantile, tTwoSided } from '../../../../src/engine/statistics/distributions/student-t.ts'

/** Reference values: scipy 1.17.1 and, in the tails, mpmath with 40 digits. `tol` is relative. */
function expectRelative(actual: number, expected: number, tol: number): void {
  expect(Math.abs(actual / expected - 1), `${actual} against ${expected}`).toBeLessThan(tol)
}

describe('normal', () => {
  test.each([
    [-37, 5.725571222524577e-300],
    [-20, 2.7536241186062337e-89],
    [-8, 6.220960574271784e-16],
    [-1.96, 0.024997895148220435],
    [0.5, 0.6914624612740131],
    [3.0902, 0.9989998912167929],
  ])('has Φ(%d) right to its last digits', (x, expected) => expectRelative(normalCdf(x), expected, 1e-13))

  test('keeps the upper tail', () => expectRelative(normalSf(20), 2.7536241186062337e-89, 1e-13))

  test.each([
    [1e-300, -37.0470962993612],
    [1e-10, -6.361340902404056],
    [0.025, -1.9599639845400543],
    [0.2, -0.8416212335729142],
    [0.9999, 3.719016485455709],
  ])('has the quantile of %d right', (p, expected) => expectRelative(normalQuantile(p), expected, 1e-13))

  test.each([0, 1, -0.1, Number.NaN])('has no quantile of %d', p => expect(() => normalQuantile(p)).toThrow(RangeError))
})

describe('gamma', () => {
  test.each([
    [0.5, 0.5723649429247001],
    [171.5, 709.1431630309283],
    [100_000, 1051287.7089736569],
  ])('has ln Γ(%d) right', (x, expected) => expectRelative(logGamma(x), expected, 1e-14))

  test('has the upper tail of a large shape right', () => expectRelative(upperGamma(1000, 2000), 6.847349459614753e-136, 1e-12))

  test.each([
    [0.5, 1, 0.47950012218695337],
    [20, 5, 0.0012497305630313773],
    [250, 3, 6.543750030967994e-54],
    [100, 120, 0.907734948041067],
  ])('has the chi-squared tail beyond %d with %d degrees right', (x, df, expected) => expectRelative(chiSquaredSf(x, df), expected, 1e-12))
})

describe('beta', () => {
  test.each([
    [0.001, 0.5, 0.5, 0.020135041633377492],
    [0.5, 999, 3, 2.3401678560330064e-296],
    [0.4992928932188134, 1e6, 1e6, 0.022750091454922218],
  ])('has I_%d(%d, %d) right', (x, a, b, expected) => expectRelative(betaCdf(x, a, b), expected, 1e-12))

  test.each([
    [0.025, 1, 10, 0.0025285785444617848],
    [0.975, 81, 21, 0.8664452897317687],
    [0.025, 999, 3, 0.9928013409422123],
    [0.025, 3.5, 47.5, 0.017186649071151135],
  ])('has the quantile %d of Beta(%d, %d) right', (p, a, b, expected) => {
    expectRelative(betaQuantile(p, a, b), expected, 1e-12)
    expectRelative(betaCdf(betaQuantile(p, a, b), a, b), p, 1e-12)
  })
})

describe("Student's t", () => {
  test.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.995, 29, 2.756385903670605],
    [0.975, 1000, 1.9623390808264083],
  ])('has the quantile %d with %d degrees right', (p, df, expected) => expectRelative(tQuantile(p, df), expected, 1e-12))

  test('has the distribution function right', () => {
    expectRelative(tCdf(-1.2, 10), 0.12889815036215282, 1e-12)
    expectRelative(tCdf(2.5, 3), 0.9561466764959672, 1e-12)
    expect(tTwoSided(0, 4)).toBe(1)
  })

  test('inverts itself far into the tail', () => expectRelative(tCdf(tQuantile(1e-9, 3), 3), 1e-9, 1e-10))

  test.each([
    [2.2, 9, 1.5, 0.7146730019942569],
    [-1, 9, 1.5, 0.00795672530538466],
    [0.5, 30, -2, 0.9936261645726183],
  ])('has the noncentral t at %d with %d degrees and δ = %d right', (t, df, delta, expected) =>
    expectRelative(noncentralTCdf(t, df, delta), expected, 1e-9),
  )
})

describe('counts', () => {
  test('has the binomial right', () => {
    expectRelative(binomialCdf(3, 10, 0.5), 0.171875, 1e-13)
    expectRelative(binomialCdf(0, 300, 0.01), 0.049040894071285854, 1e-12)
    expectRelative(binomialPmf(52_000, 100_000, 0.52), 0.0025251471271143574, 1e-10)
    expectRelative(binomialCdf(51_900, 100_000, 0.52), 0.26440538191324936, 1e-9)
    expect(binomialCdf(-1, 10, 0.5)).toBe(0)
    expect(binomialCdf(10, 10, 0.5)).toBe(1)
  })

  test('adds up to 1', () => {
    const total = Array.from({ length: 31 }, (_, k) => binomialPmf(k, 30, 0.3)).reduce((sum, p) => sum + p, 0)
    expect(total).toBeCloseTo(1, 13)
  })

  test('has the hypergeometric right', () => {
    expectRelative(hypergeometricPmf(10, 60, 500, 100), 0.13984731336084977, 1e-12)
  })

  test('has the sign test right', () => {
    expect(signTest(10, 2)).toBeCloseTo(0.03857421875, 14)
    expect(signTest(0, 0)).toBe(1)
    expect(signTest(4, 4)).toBe(1)
  })
})
