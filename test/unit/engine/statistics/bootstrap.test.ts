import { describe, expect, test } from 'vitest'
import { bootstrapMean, bootstrapStandardErrorExact, sortedQuantile } from '../../../../src/engine/statistics/bootstrap.ts'
import { mulberry32 } from '../../../../src/engine/statistics/random.ts'
import { meansByCounting, meansByDrawing } from '../../../../src/engine/statistics/resampling.ts'
import { mean, variance } from '../../../../src/engine/statistics/sample.ts'
import { distinctGroups, quantileBands, type Units } from '../../../../src/engine/statistics/unit-groups.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'

const scores = [0.2, 0.9, 0.55, 0.7, 1, 0, 0.35]

describe('bootstrapMean', () => {
  test('has the intervals of the reference implementation on the same random numbers', () => {
    const found = bootstrapMean(scores, { seed: 7, replicates: 2000 })
    expect(found.percentile).toMatchObject({
      low: expect.closeTo(0.2857142857, 9),
      high: expect.closeTo(0.7785714286, 9),
      method: 'bootstrap_percentile',
    })
    expect(found.basic).toMatchObject({
      low: expect.closeTo(0.2785714286, 9),
      high: expect.closeTo(0.7714285714, 9),
      method: 'bootstrap_basic',
    })
    expect(found.bca).toMatchObject({
      low: expect.closeTo(0.2571428571, 9),
      high: expect.closeTo(0.7576736191, 9),
      method: 'bootstrap_bca',
    })
    expect(found.z0).toBeCloseTo(-0.0658465438, 9)
    expect(found.acceleration).toBeCloseTo(-0.0063597164, 9)
    expect(found.standardError).toBeCloseTo(0.128553958, 8)
  })

  test('draws clusters whole', () => {
    const clusters = ['p', 'p', 'q', 'q', 'r', 'r', 'r', 'r', 's']
    const values = [0.9, 0.8, 0.1, 0.2, 0.5, 0.6, 0.55, 0.4, 1]
    const found = bootstrapMean(values, { seed: 5, replicates: 1000, clusters })
    expect(found.units).toBe(4)
    expect(found.percentile).toMatchObject({ low: expect.closeTo(0.295, 12), high: expect.closeTo(0.9, 12) })
  })

  test('gives the same for the same seed and something else for another', () => {
    const first = bootstrapMean(scores, { seed: 1, replicates: 200 })
    expect(bootstrapMean(scores, { seed: 1, replicates: 200 })).toEqual(first)
    expect(bootstrapMean(scores, { seed: 2, replicates: 200 }).standardError).not.toBe(first.standardError)
  })

  test('estimates the exact standard error', () => {
    const exact = bootstrapStandardErrorExact(scores).value ?? 0
    expect(bootstrapMean(scores, { seed: 3, replicates: 20_000 }).standardError).toBeCloseTo(exact, 2)
    expect(bootstrapStandardErrorExact([0, 1, 1, 1, 0]).value).toBeCloseTo(0.219089023, 9)
  })

  test('is undefined for one value, one cluster, no variation and what is not finite', () => {
    const undefinedMean = { percentile: null, bca: null, standardError: null, reason: expect.any(String) }
    expect(bootstrapMean([1], { seed: 1 })).toMatchObject(undefinedMean)
    expect(bootstrapMean([1, 0], { seed: 1, clusters: ['a', 'a'] })).toMatchObject(undefinedMean)
    expect(bootstrapMean([0.5, 0.5, 0.5], { seed: 1 })).toMatchObject(undefinedMean)
    expect(bootstrapMean([0.5, Number.POSITIVE_INFINITY], { seed: 1 })).toMatchObject(undefinedMean)
  })

  test('has no BCa interval when all replicates fall on one side', () => {
    const found = bootstrapMean([0, 1], { seed: 0, replicates: 2 })
    expect(found.percentile).not.toBeNull()
    expect(found).toMatchObject({ bca: null, z0: null, reason: expect.stringContaining('one side') })
  })
})

describe('the fast ways of resampling', () => {
  const replicates = 4000
  /** Standard errors and quantiles of two ways must agree within what so many replicates leave open (about 4 standard errors). */
  function expectSameDistribution(fast: Float64Array, plain: Float64Array): void {
    const spread = Math.sqrt(variance(plain))
    expect(Math.abs(mean(fast) - mean(plain))).toBeLessThan(0.1 * spread)
    expect(Math.sqrt(variance(fast)) / spread).toBeCloseTo(1, 1)
    const [sortedFast, sortedPlain] = [fast.toSorted(), plain.toSorted()]
    for (const p of [0.025, 0.25, 0.5, 0.75, 0.975]) {
      expect(Math.abs(sortedQuantile(sortedFast, p) - sortedQuantile(sortedPlain, p)), `at ${p}`).toBeLessThan(0.2 * spread)
    }
  }

  test('agree in distribution for pass/fail differences', () => {
    const random = mulberry32(11)
    const sums = Float64Array.from({ length: 1500 }, () => (random() < 0.07 ? 1 : random() < 0.05 ? -1 : 0))
    const units: Units = { sums, sizes: new Float64Array(1500).fill(1) }
    const groups = distinctGroups(units, 10) ?? []
    expect(groups).toHaveLength(3)
    expectSameDistribution(meansByCounting(groups, replicates, mulberry32(1)), meansByDrawing(units, replicates, mulberry32(2)))
  })

  test('agree in distribution for clusters of different size', () => {
    const random = mulberry32(12)
    const sizes = Float64Array.from({ length: 1200 }, () => 1 + Math.floor(3 * random()))
    const units: Units = { sums: sizes.map(size => Math.floor((size + 1) * random())), sizes }
    const groups = distinctGroups(units, 20) ?? []
    expect(groups.length).toBeGreaterThan(5)
    expectSameDistribution(meansByCounting(groups, replicates, mulberry32(1)), meansByDrawing(units, replicates, mulberry32(2)))
  })

  test('agree in distribution for skewed scores with an outlier, drawn by bands', () => {
    const random = mulberry32(13)
    const sums = Float64Array.from({ length: 2500 }, () => (1 - random()) ** -0.4)
    sums[0] = 200
    const units: Units = { sums, sizes: new Float64Array(2500).fill(1) }
    expectSameDistribution(
      meansByCounting(quantileBands(units), replicates, mulberry32(1)),
      meansByDrawing(units, replicates, mulberry32(2)),
    )
  })

  test('keep the mean and the variance of the values', () => {
    const random = mulberry32(14)
    const sums = Float64Array.from({ length: 5000 }, random)
    const bands = quantileBands({ sums, sizes: new Float64Array(5000).fill(1) })
    const n = bands.reduce((count, band) => count + band.count, 0)
    const center = bands.reduce((total, band) => total + band.count * band.sum, 0) / n
    const squares = bands.reduce((total, band) => total + band.count * (band.variance + (band.sum - center) ** 2), 0)
    expect(n).toBe(5000)
    expect(center).toBeCloseTo(mean(sums), 12)
    expect(squares / (n - 1)).toBeCloseTo(variance(sums), 12)
  })

  test('manage 100,000 pairs and 10,000 replicates, discrete or not', async () => {
    const random = mulberry32(15)
    const discrete = Float64Array.from({ length: 100_000 }, () => Math.floor(3 * random()) - 1)
    const continuous = Float64Array.from({ length: 100_000 }, random)
    const spent = await cpuMsOf(() => {
      for (const values of [discrete, continuous]) {
        const found = bootstrapMean(values, { seed: 1 })
        const exact = bootstrapStandardErrorExact(values).value ?? 0
        expect((found.standardError ?? 0) / exact).toBeCloseTo(1, 1)
      }
    })
    expect(spent).toBeLessThan(10_000 * slowness())
  })
})
