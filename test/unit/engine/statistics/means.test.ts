import { describe, expect, test } from 'vitest'
import { clusteredStandardErrors, intraclassCorrelation, meanIntervalClustered } from '../../../../src/engine/statistics/clusters.ts'
import { meansByKey } from '../../../../src/engine/statistics/groups.ts'
import { bernoulliStandardError, meanAndStandardError, meanIntervalNormal, meanIntervalT } from '../../../../src/engine/statistics/means.ts'
import { benchmarkPassAtK, passAtK, passHatK } from '../../../../src/engine/statistics/pass-at-k.ts'
import { stratifiedProportion } from '../../../../src/engine/statistics/stratified.ts'
import { varianceComponents } from '../../../../src/engine/statistics/variance-components.ts'
import { winRateWithTies } from '../../../../src/engine/statistics/win-rate.ts'

const passage = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd']
const outcomes = [1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]

describe('mean', () => {
  test('has n-1 in its standard error', () => {
    expect(meanAndStandardError([1, 2, 3, 4])).toEqual({ n: 4, mean: 2.5, standardError: Math.sqrt(5 / 3 / 4), reason: null })
  })

  test('takes typed arrays', () => expect(meanAndStandardError(Float64Array.of(1, 0, 1, 1)).mean).toBe(0.75))

  test('has standard error 0 only when nothing varies, rounding aside', () => {
    expect(meanAndStandardError([0.1, 0.1, 0.1]).standardError).toBe(0)
    expect(meanAndStandardError([0.1 + 0.2, 0.3]).standardError).toBe(0)
  })

  test('has the t and the normal interval', () => {
    const t = meanIntervalT([3, 5, 9, 1, 4, 4, 7], 0.9).value
    expect(t).toMatchObject({ level: 0.9, method: 't' })
    expect(t?.low).toBeCloseTo(2.784369618025876, 10)
    expect(t?.high).toBeCloseTo(6.644201810545551, 10)
    expect(meanIntervalNormal([1, 0, 1, 1, 0, 1, 1, 1, 0, 1]).value?.low).toBeCloseTo(0.4006105560485982, 10)
  })

  test('has the Bernoulli standard error', () => expect(bernoulliStandardError(70, 100).value).toBeCloseTo(0.0458257569, 9))

  test('averages repeated answers per question, questions in order of appearance', () => {
    expect(meansByKey([1, 0, 0.5, 1], ['q2', 'q1', 'q2', 'q2'])).toEqual({ keys: ['q2', 'q1'], means: Float64Array.of(2.5 / 3, 0) })
  })
})

describe('clusters', () => {
  test('tells the three published standard errors apart', () => {
    const errors = clusteredStandardErrors(outcomes, passage)
    expect(errors.clusters).toBe(4)
    expect(errors.naive).toBeCloseTo(0.1421338109, 9)
    expect(errors.miller).toBeCloseTo(0.2082070324, 9)
    expect(errors.cr0).toBeCloseTo(0.2041241452, 9)
    expect(errors.cr1).toBeCloseTo(0.2357022604, 9)
  })

  test('reduces to the plain standard error for clusters of one', () => {
    const errors = clusteredStandardErrors([1, 0, 1, 0, 1, 0], ['1', '2', '3', '4', '5', '6'])
    expect(errors.cr1).toBeCloseTo(errors.naive ?? Number.NaN, 14)
  })

  test('has an interval with C-1 degrees of freedom', () => {
    const { value } = meanIntervalClustered(outcomes, passage)
    expect(value).toMatchObject({ method: 'cr1_t' })
    expect(value?.low).toBeCloseTo(-0.0834431211, 9)
    expect(value?.high).toBeCloseTo(1.4167764544, 9)
  })

  test('has no interval where clusters do not differ, rather than one of no width', () => {
    const { value, reason } = meanIntervalClustered([1, 0, 1, 0, 0, 1], ['a', 'a', 'b', 'b', 'c', 'c'])
    expect(value).toBeNull()
    expect(reason).toContain('do not differ')
  })

  test('has the intraclass correlation, negative ones too', () => {
    const positive = intraclassCorrelation(outcomes, passage)
    expect(positive.icc).toBeCloseTo(0.7, 12)
    expect(positive.designEffect).toBeCloseTo(2.4, 12)
    expect(intraclassCorrelation([1, 0, 1, 0], ['a', 'a', 'b', 'b']).icc).toBeCloseTo(-1, 12)
  })

  test('has the intraclass correlation of unequal clusters', () => {
    const { icc, averageSize } = intraclassCorrelation(
      [0.9, 0.8, 0.1, 0.2, 0.5, 0.6, 0.55, 0.4, 1],
      ['p', 'p', 'q', 'q', 'r', 'r', 'r', 'r', 's'],
    )
    expect(icc).toBeCloseTo(0.9454795357, 9)
    expect(averageSize).toBeCloseTo(2.0740740741, 9)
  })
})

describe('variance components', () => {
  test('splits questions from answers', () => {
    const found = varianceComponents([
      [1, 0, 1, 1],
      [0, 0, 0, 1],
      [1, 1, 1, 1],
      [0, 1, 0, 1],
      [0, 0, 0, 0],
    ])
    expect(found.mean).toBeCloseTo(0.5, 12)
    expect(found.within).toBeCloseTo(1 / 6, 12)
    expect(found.between).toBeCloseTo(0.1145833333, 9)
    expect(found.standardErrorIfOne).toBeCloseTo(0.2371708245, 9)
    expect(found.standardErrorIfMany).toBeCloseTo(0.1513825177, 9)
  })

  test('reports a negative component and clamps it for planning only', () => {
    const found = varianceComponents([
      [1, 0],
      [0, 1],
      [1, 0],
    ])
    expect(found.between).toBeCloseTo(-0.25, 12)
    expect(found.standardErrorIfMany).toBe(0)
  })
})

describe('pass@k', () => {
  test('is unbiased, not the plug-in', () => {
    expect(passAtK(10, 3, 5).value).toBeCloseTo(0.9166666667, 9)
    const benchmark = benchmarkPassAtK(
      [10, 10, 10, 10].map((n, i) => ({ n, c: [3, 0, 10, 5][i] ?? 0 })),
      2,
    )
    expect(benchmark.mean).toBeCloseTo(0.5777777778, 9)
    expect(benchmark.standardError).toBeCloseTo(0.2148786623, 9)
    expect(benchmark.biasedPlugin).toBeCloseTo(0.565, 12)
  })

  test('does not lose the digits of many attempts', () => expect(passAtK(100_000, 1, 1).value).toBeCloseTo(1e-5, 15))

  test('has pass^k', () => {
    expect(passHatK(8, 6, 3).value).toBeCloseTo(20 / 56, 14)
    expect(passHatK(10, 3, 4).value).toBe(0)
  })

  test('refuses to extrapolate', () => {
    expect(passAtK(3, 1, 5)).toEqual({ value: null, reason: 'k = 5 exceeds the n = 3 attempts, so it cannot be estimated from them.' })
    expect(passAtK(0, 0, 1).value).toBeNull()
    expect(
      benchmarkPassAtK(
        [
          { n: 5, c: 1 },
          { n: 2, c: 1 },
        ],
        3,
      ).mean,
    ).toBeNull()
  })
})

describe('rates', () => {
  test('has the win rate with ties as half a win', () => {
    const found = winRateWithTies(60, 30, 10)
    expect(found.winRate).toBeCloseTo(0.65, 14)
    expect(found.standardError).toBeCloseTo(0.0452267017, 9)
    expect(found.pSignTest).toBeCloseTo(0.0020602657, 9)
    expect(winRateWithTies(0, 0, 5)).toMatchObject({ winRate: 0.5, standardError: 0, pSignTest: 1 })
  })

  test('weights strata with weights of any sum', () => {
    const strata = [
      { weight: 9, successes: 95, trials: 100 },
      { weight: 1, successes: 1, trials: 10 },
    ]
    expect(stratifiedProportion(strata).mean).toBeCloseTo(0.865, 12)
    expect(stratifiedProportion(strata).standardError).toBeCloseTo(0.0221051208, 9)
  })
})
