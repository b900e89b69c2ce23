import { describe, expect, test } from 'vitest'
import { adjustPValues, holmRejections } from '../../../../src/engine/statistics/adjustments.ts'
import { differences } from '../../../../src/engine/statistics/differences.ts'
import { mcnemar } from '../../../../src/engine/statistics/mcnemar.ts'
import { pairedDifference, pairedDifferenceClustered } from '../../../../src/engine/statistics/paired.ts'
import { permutationTestExact } from '../../../../src/engine/statistics/permutation.ts'
import { tangoInterval, tangoNoninferiority, tangoStatistic } from '../../../../src/engine/statistics/tango.ts'
import { twoProportions } from '../../../../src/engine/statistics/two-proportions.ts'
import { unpairedDifference } from '../../../../src/engine/statistics/unpaired.ts'
import { wilcoxonSignedRank } from '../../../../src/engine/statistics/wilcoxon.ts'

const first = [0.9, 0.8, 0.75, 0.6, 0.95, 0.5]
const second = [0.85, 0.82, 0.6, 0.55, 0.9, 0.3]

describe('paired and unpaired differences', () => {
  test('has the paired t test', () => {
    const found = pairedDifference(first, second)
    expect(found.difference).toBeCloseTo(0.08, 12)
    expect(found.standardError).toBeCloseTo(0.0326598632, 9)
    expect(found.correlation).toBeCloseTo(0.9598111136, 9)
    expect(found.intervalT?.low).toBeCloseTo(-0.0039548512, 9)
    expect(found.intervalNormal?.high).toBeCloseTo(0.1440121557, 9)
    expect(found.pT).toBeCloseTo(0.0579727736, 9)
    expect(found.pNormal).toBeCloseTo(0.0143058784, 9)
  })

  test('has the clustered paired difference', () => {
    const clusters = ['p', 'p', 'q', 'q', 'r', 'r', 'r', 'r', 's']
    const a = [0.9, 0.8, 0.1, 0.2, 0.5, 0.6, 0.55, 0.4, 1]
    const b = [0.82, 0.59, 0.1, 0.36, 0.5, 0.43, 0.46, 0.52, 0.9]
    const found = pairedDifferenceClustered(a, b, clusters)
    expect(found.mean).toBeCloseTo(0.0411111111, 9)
    expect(found.miller).toBeCloseTo(0.038681152, 9)
    expect(found.cr1).toBeCloseTo(0.0417534685, 9)
  })

  test('does not take rounding for a difference', () => {
    const d = differences([0.9, 0.7, 0.3], [0.8, 0.6, 0.2])
    expect(new Set(d).size).toBe(1)
    expect(pairedDifference([0.9, 0.7, 0.3], [0.8, 0.6, 0.2])).toMatchObject({ standardError: 0, pT: null, intervalT: null })
  })

  test("has Welch's test and interval", () => {
    const found = unpairedDifference([3, 4, 5, 9], [1, 2, 2, 4, 3])
    expect(found.p).toBeCloseTo(0.1151334716, 9)
    expect(found.degreesOfFreedom).toBeCloseTo(3.9037998846, 9)
    expect(found.interval?.low).toBeCloseTo(-1.1041892172, 9)
    expect(found.interval?.high).toBeCloseTo(6.8041892172, 9)
  })
})

describe('paired pass/fail outcomes', () => {
  test.each([
    [5, 1, 0.21875, 0.125],
    [0, 6, 0.03125, 0.015625],
    [30, 12, 0.007915897334896727, 0.005401572654591293],
    [209, 152, 0.003150656880360618, null],
  ])('has the exact McNemar test of %d against %d', (b, c, exact, mid) => {
    expect(mcnemar(b, c).pExact).toBeCloseTo(exact, 13)
    if (mid !== null) expect(mcnemar(b, c).pMid).toBeCloseTo(mid, 13)
  })

  test('has the chi-squared forms', () => {
    const found = mcnemar(10, 2)
    expect(found.chiSquaredCorrected).toBeCloseTo(4.0833333333, 9)
    expect(found.pCorrected).toBeCloseTo(0.0433081428, 9)
    expect(found.pChiSquared).toBeCloseTo(0.0209213353, 9)
  })

  test('has p = 1 and no chi-squared when nothing is discordant', () => {
    expect(mcnemar(0, 0)).toMatchObject({ pExact: 1, pMid: 1, chiSquaredCorrected: null, pChiSquared: null, reason: expect.any(String) })
  })

  test("has Tango's interval and non-inferiority test", () => {
    const counts = { onlyNew: 12, onlyOld: 7, n: 100 }
    const { value } = tangoInterval(counts)
    expect(value?.low).toBeCloseTo(-0.038041, 6)
    expect(value?.high).toBeCloseTo(0.1410104, 6)
    expect(tangoNoninferiority(counts, 0.05).value).toBeCloseTo(0.0139082, 6)
  })

  test("has Tango's interval even without discordant pairs", () => {
    const { value } = tangoInterval({ onlyNew: 0, onlyOld: 0, n: 50 })
    // both ends solve n δ / (1 + δ) = z², so δ = z²/(n + z²)
    expect(value?.high).toBeCloseTo(3.8414588 / (50 + 3.8414588), 6)
    expect(value?.low).toBeCloseTo(-3.8414588 / (50 + 3.8414588), 6)
  })

  test('has a score statistic of 0 at the observed difference', () => {
    expect(tangoStatistic({ onlyNew: 5, onlyOld: 1, n: 40 }, 0.1)).toBe(0)
  })

  test('refuses more discordant pairs than questions', () => {
    expect(() => tangoInterval({ onlyNew: 6, onlyOld: 5, n: 10 })).toThrow('add up to 11')
  })
})

describe('independent proportions', () => {
  test('has Newcombe, pooled z and Fisher', () => {
    const found = twoProportions(70, 100, 60, 100)
    expect(found.interval?.low).toBeCloseTo(-0.0318903739, 9)
    expect(found.interval?.high).toBeCloseTo(0.227172251, 9)
    expect(found.pPooled).toBeCloseTo(0.138207667, 9)
    expect(found.pFisher).toBeCloseTo(0.1819324149, 9)
    expect(twoProportions(1, 10, 11, 14).pFisher).toBeCloseTo(0.0027594561852200836, 12)
    expect(twoProportions(840, 1000, 900, 1250).pFisher).toBeCloseTo(9.333078e-12, 16)
  })
})

describe('rank and permutation tests', () => {
  test.each([
    [[0.05, -0.02, 0.15, 0.05, 0.05, 0.2], 0.0625],
    [[0.3, -0.1, 0.2, -0.25, 0.05, 0.4, -0.02, 0.11, 0.07], 0.24609375],
    [[0, 0, 0.1, 0.1, 0.1, 0.1, 0.1], 0.0625],
    [[0, 0], 1],
  ])('counts all sign patterns of %j', (diffs, p) => expect(permutationTestExact(diffs).value).toBe(p))

  test('declines more patterns than can be counted', () => {
    const { value, reason } = permutationTestExact(new Float64Array(21).fill(1))
    expect(value).toBeNull()
    expect(reason).toContain('the limit is 20')
  })

  test('has the signed-rank test', () => {
    const x = [12, 15, 9, 20, 17, 11, 14, 8, 13, 16, 10, 19]
    const y = [10, 14, 9, 15, 18, 9, 10, 8, 9, 15, 11, 13]
    const found = wilcoxonSignedRank(x, y)
    expect(found.w).toBe(5)
    expect(found.p).toBeCloseTo(0.0208055436, 9)
    expect(wilcoxonSignedRank(first, second).p).toBeCloseTo(0.0440099564, 9)
  })
})

describe('several tests', () => {
  test('adjusts p-values in the order given', () => {
    const p = [0.9, 0.0001, 0.02, 0.5, 0.02]
    expect([...adjustPValues(p, 'holm')]).toEqual([1, 0.0005, 0.08, 1, 0.08].map(value => expect.closeTo(value, 12)))
    expect([...adjustPValues(p, 'hochberg')]).toEqual([0.9, 0.0005, 0.06, 0.9, 0.06].map(value => expect.closeTo(value, 12)))
    expect([...adjustPValues(p, 'bh')]).toEqual([0.9, 0.0005, 0.1 / 3, 0.625, 0.1 / 3].map(value => expect.closeTo(value, 12)))
    expect([...adjustPValues(p, 'by')][1]).toBeCloseTo(0.0011416667, 9)
    expect([...adjustPValues(p, 'bonferroni')]).toEqual([1, 0.0005, 0.1, 1, 0.1].map(value => expect.closeTo(value, 12)))
    expect(holmRejections([0.01, 0.04, 0.03, 0.005])).toEqual([true, false, false, true])
    expect(adjustPValues([], 'holm')).toHaveLength(0)
  })

  test('refuses what is not a p-value', () => expect(() => adjustPValues([0.1, 1.2], 'holm')).toThrow('p-value at position 1 is 1.2'))
})
