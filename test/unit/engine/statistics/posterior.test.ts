import { describe, expect, test } from 'vitest'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { differences } from '../../../../src/engine/statistics/differences.ts'
import { macroMean } from '../../../../src/engine/statistics/macro-mean.ts'
import { oneSidedPair } from '../../../../src/engine/statistics/one-sided-paired.ts'
import { meanPosterior, pairedRatePosterior, ratePosterior } from '../../../../src/engine/statistics/posterior.ts'
import { summarizeMetric } from '../../../../src/engine/statistics/summarize.ts'

// Expected figures by scipy 1.17.1, each with the call that gave it.
describe('the posterior of a rate', () => {
  // stats.beta(1 + s, 1 + n - s).ppf([.025, .975]) and .sf(t)
  test.each([
    [7, 10, 0.5, 0.39025744042757876, 0.8907365561809019, 0.88671875],
    [0, 20, 0.25, 0.0012048834483635127, 0.16109761521907956, 0.002378408954200495],
    [1319, 1319, 0.5, 0.9972092956282838, 0.9999808200263742, 1],
    [602, 880, 0.65, 0.6526149569431199, 0.7139430050801511, 0.9830654836622382],
  ])('of %i of %i is that of scipy', (successes, trials, threshold, low, high, above) => {
    const { value } = ratePosterior(successes, trials, threshold)
    expect(value?.interval.low).toBeCloseTo(low, 10)
    expect(value?.interval.high).toBeCloseTo(high, 10)
    expect(value?.probabilityAbove).toBeCloseTo(above, 10)
  })

  test('is unknown without trials', () => {
    expect(ratePosterior(0, 0, 0.5)).toEqual({ value: null, reason: 'There are no trials.' })
  })
})

describe('the posterior of a paired difference', () => {
  // integrate.quad(lambda s: beta(2+b+c, 2+n-b-c).pdf(s) * beta(1+b, 1+c).cdf((x/s+1)/2)) inverted by optimize.brentq; beta(1+b, 1+c).sf(.5)
  test.each([
    [10, 4, 50, -0.029428899925421016, 0.2538681703076148, 0.940765380859375],
    [0, 0, 5, -0.3123439780663679, 0.3123439780663676, 0.5],
    [120, 80, 1319, 0.009312997284102007, 0.05131140005732833, 0.99766997401268],
    [3, 0, 8, -0.07992414149644904, 0.5722903005510862, 0.9375],
  ])('of %i against %i of %i is that of scipy', (onlyNew, onlyOld, n, low, high, above) => {
    const { value } = pairedRatePosterior(onlyNew, onlyOld, n)
    expect(value?.interval.low).toBeCloseTo(low, 4)
    expect(value?.interval.high).toBeCloseTo(high, 4)
    expect(value?.probabilityAbove).toBeCloseTo(above, 10)
    const mirrored = pairedRatePosterior(onlyOld, onlyNew, n).value
    expect(mirrored?.interval.low).toBeCloseTo(-(value?.interval.high ?? 0), 8)
    expect(mirrored?.probabilityAbove).toBeCloseTo(1 - above, 10)
  })
})

describe('the posterior of a mean', () => {
  const values = Array.from({ length: 400 }, (_, i) => ((i * 37) % 101) / 100 - 0.4)

  test('has the moments of the Bayesian bootstrap, and repeats with its seed', () => {
    const mean = values.reduce((a, b) => a + b) / values.length
    const error = Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (400 * 401))
    const { value } = meanPosterior(values, { seed: 1 })
    // 4,000 draws: a 2.5 % quantile has a standard error of about 0.04 standard deviations.
    expect(value?.interval.low).toBeCloseTo(mean - 1.96 * error, 2)
    expect(Math.abs((value?.interval.low ?? 0) - (mean - 1.96 * error)) / error).toBeLessThan(0.2)
    expect(Math.abs((value?.interval.high ?? 0) - (mean + 1.96 * error)) / error).toBeLessThan(0.2)
    expect(meanPosterior(values, { seed: 1 })).toEqual(meanPosterior(values, { seed: 1 }))
  })

  test('is normal for many values, by the same moments', () => {
    const many = Array.from({ length: 8 }, () => values).flat()
    const small = meanPosterior(values, { seed: 1 }).value
    const { value } = meanPosterior(many, { seed: 1 })
    expect(value?.interval.method).toBe('bayesian_bootstrap_normal')
    const width = (posterior: typeof small) => (posterior?.interval.high ?? 0) - (posterior?.interval.low ?? 0)
    expect(width(value) / width(small)).toBeCloseTo(1 / Math.sqrt(8), 1)
  })

  test('is wider where clusters are drawn whole', () => {
    const clustered = values.map((_, i) => Math.floor(i / 40) % 2)
    const clusters = values.map((_, i) => String(Math.floor(i / 40)))
    const width = (of?: readonly string[]) => {
      const { value } = meanPosterior(clustered, { seed: 1, ...(of && { clusters: of }) })
      return (value?.interval.high ?? 0) - (value?.interval.low ?? 0)
    }
    expect(width(clusters)).toBeGreaterThan(3 * width())
  })

  test.each([
    [[1], 'A single value or cluster leaves the spread unknown; at least two are needed.'],
    [[1, 1, 1], 'All values are equal, so weighting them differently changes nothing.'],
  ])('is unknown of %j', (few, reason) => {
    expect(meanPosterior(few, { seed: 1 })).toEqual({ value: null, reason })
  })
})

describe('a macro mean', () => {
  const group = (successes: number, n: number) =>
    summarizeMetric(
      Array.from({ length: n }, (_, i) => (i < successes ? 1 : 0)),
      { binary: true },
    )

  test('combines the Wilson intervals of its groups as scipy’s do', () => {
    // binomtest(s, n).proportion_ci(method='wilson') of 8/10, 20/20 and 3/12; m ∓ sqrt(Σ(m_g - bound)²) / 3.
    const found = macroMean([group(8, 10), group(20, 20), group(3, 12)], 0.95)
    expect(found.mean).toBeCloseTo(0.6833333333333332, 12)
    expect(found.standardError).toBeCloseTo(0.062203279944989254, 12)
    expect(found.interval?.low).toBeCloseTo(0.5551405978910752, 8)
    expect(found.interval?.high).toBeCloseTo(0.7888670603507604, 8)
    expect(found).toMatchObject({ groups: 3, reason: null, interval: { method: 'mover' } })
  })

  test('stays within 0 and 1, and keeps its interval where a group has one task', () => {
    const { interval, standardError, reason } = macroMean([group(10, 10), group(1, 1)], 0.95)
    expect(interval?.high).toBe(1)
    expect(interval?.low).toBeGreaterThan(0)
    expect([standardError, reason]).toEqual([null, 'A group has a single task, which leaves its spread unknown.'])
  })

  test('is unknown where a group has nothing', () => {
    expect(macroMean([group(1, 2), group(0, 0)], 0.95)).toMatchObject({ mean: null, interval: null, reason: 'A group has no scored task.' })
  })
})

describe('one-sided tests', () => {
  const pair = (first: readonly number[], second: readonly number[], binary: boolean) =>
    oneSidedPair(comparePaired(first, second, { binary, seed: 1 }), differences(first, second), null)

  test('of pass and fail are exact McNemar', () => {
    const first = Array.from({ length: 30 }, (_, i) => (i < 10 || i >= 20 ? 1 : 0))
    const second = Array.from({ length: 30 }, (_, i) => (i >= 10 && i < 14 ? 1 : i >= 20 ? 1 : 0))
    const found = pair(first, second, true)
    // binomtest(10, 14, alternative='greater') and 'less'
    expect(found?.better).toBeCloseTo(0.08978271484375, 12)
    expect(found?.worse).toBeCloseTo(0.9713134765625, 12)
  })

  test('of few scores are the permutation test', () => {
    const d = [0.2, -0.1, 0.4, 0.3, 0, 0.25, -0.05, 0.1]
    const found = pair(
      d,
      d.map(() => 0),
      false,
    )
    // permutation_test((d,), np.mean, permutation_type='samples', n_resamples=inf), 'greater' and 'less'
    expect([found?.better, found?.worse]).toEqual([0.046875, 0.96875])
  })

  test('of many scores are Student’s t', () => {
    const d = Array.from({ length: 30 }, (_, i) => ((i * 37) % 11) / 10 - 0.42)
    const found = pair(
      d,
      d.map(() => 0),
      false,
    )
    // ttest_1samp(d, 0, alternative='greater') and 'less'
    expect(found?.better).toBeCloseTo(0.14332407451308063, 10)
    expect(found?.worse).toBeCloseTo(0.8566759254869194, 10)
  })
})
