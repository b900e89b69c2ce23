import { describe, expect, test } from 'vitest'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { binomialPmf } from '../../../../src/engine/statistics/distributions/binomial.ts'
import { wilsonInterval } from '../../../../src/engine/statistics/proportions.ts'
import { mulberry32, type Random } from '../../../../src/engine/statistics/random.ts'
import { summarizeMetric, type SummaryOptions } from '../../../../src/engine/statistics/summarize.ts'

/** Share of `draws` samples whose 95 % interval covers the truth they were drawn with. */
function coverage(
  draws: number,
  seed: number,
  sample: (random: Random) => { truth: number; values: Float64Array; options: SummaryOptions },
): number {
  const random = mulberry32(seed)
  let covered = 0
  for (let draw = 0; draw < draws; draw++) {
    const { truth, values, options } = sample(random)
    const { interval } = summarizeMetric(values, options)
    if (interval !== null && interval.low <= truth && truth <= interval.high) covered++
  }
  return covered / draws
}

/** Nominal is 93 to 97 %. */
function expectNominal(share: number): void {
  expect(share).toBeGreaterThanOrEqual(0.93)
  expect(share).toBeLessThanOrEqual(0.97)
}

/** 0.5 to 0.99, anew for each sample: at one fixed rate the coverage of any interval for counts jumps with n. */
const anyRate = (random: Random): number => 0.5 + 0.49 * random()

/** Outcomes in clusters: each outcome is, with the given chance, the common outcome of its cluster. The ICC is the square of the chance. */
function clusteredOutcomes(random: Random, clusters: number, size: number, rate: number, share: number): Float64Array {
  const common = Float64Array.from({ length: clusters }, () => (random() < rate ? 1 : 0))
  return Float64Array.from({ length: clusters * size }, (_, i) => {
    if (random() < share) return common[Math.floor(i / size)] ?? 0
    return random() < rate ? 1 : 0
  })
}

function clusterNames(clusters: number, size: number): string[] {
  return Array.from({ length: clusters * size }, (_, i) => `c${Math.floor(i / size)}`)
}

describe('coverage of 95 % intervals', () => {
  test.each([20, 50, 100, 300, 1000])('is nominal for proportions of %d answers', n => {
    const share = coverage(1500, n, random => {
      const truth = anyRate(random)
      return { truth, values: Float64Array.from({ length: n }, () => (random() < truth ? 1 : 0)), options: { binary: true } }
    })
    expectNominal(share)
  })

  test('never falls below 91 % at a fixed rate, counted exactly', () => {
    for (const n of [20, 50, 100, 200, 500, 1000]) {
      for (const rate of [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]) {
        let share = 0
        for (let k = 0; k <= n; k++) {
          const { value } = wilsonInterval(k, n)
          if (value !== null && value.low <= rate && rate <= value.high) share += binomialPmf(k, n, rate)
        }
        expect(share, `n = ${n}, p = ${rate}`).toBeGreaterThan(0.91)
      }
    }
  })

  test.each([20, 100, 1000])('is nominal for means of %d scores', n => {
    const share = coverage(1000, n + 1, random => ({
      truth: 0.5,
      values: Float64Array.from({ length: n }, () => (random() + random()) / 2),
      options: {},
    }))
    expectNominal(share)
  })

  test.each([
    [20, 2],
    [20, 5],
    [50, 5],
    [200, 5],
  ])('is nominal for proportions in %d clusters of %d', (clusters, size) => {
    const names = clusterNames(clusters, size)
    const share = coverage(1000, clusters * size, random => {
      const truth = anyRate(random)
      return { truth, values: clusteredOutcomes(random, clusters, size, truth, 0.5), options: { binary: true, clusters: names } }
    })
    expectNominal(share)
  })

  test.each([
    [20, 5],
    [100, 10],
  ])('is nominal for scores in %d clusters of %d, where ignoring the clusters fails', (clusters, size) => {
    const names = clusterNames(clusters, size)
    const sample = (options: SummaryOptions) => (random: Random) => {
      const common = Float64Array.from({ length: clusters }, random)
      const values = Float64Array.from({ length: clusters * size }, (_, i) => ((common[Math.floor(i / size)] ?? 0) + random()) / 2)
      return { truth: 0.5, values, options }
    }
    expectNominal(coverage(800, 7, sample({ clusters: names })))
    expect(coverage(300, 7, sample({}))).toBeLessThan(0.8)
  })
})

describe('two identical models', () => {
  /** Share of comparisons with p < 0.05. */
  function falseAlarms(comparisons: number, compare: (random: Random) => number | null): number {
    const random = mulberry32(99)
    let alarms = 0
    for (let i = 0; i < comparisons; i++) {
      const p = compare(random)
      if (p !== null && p < 0.05) alarms++
    }
    return alarms / comparisons
  }

  test.each([
    [20, 0.7],
    [100, 0.5],
    [100, 0.95],
    [1000, 0.8],
  ])('are called different less often than alpha on %d pass/fail questions at rate %d', (n, rate) => {
    const share = falseAlarms(1000, random => {
      const difficulty = Float64Array.from({ length: n }, () => Math.min(1, Math.max(0, rate + 0.4 * (random() - 0.5))))
      const answers = (): Float64Array => difficulty.map(p => (random() < p ? 1 : 0))
      return comparePaired(answers(), answers(), { binary: true, seed: 1 }).p
    })
    expect(share).toBeLessThan(0.05)
  })

  test('are called different at the nominal rate by scores, within three standard errors of the simulation', () => {
    const scored = falseAlarms(1500, random => {
      const difficulty = Float64Array.from({ length: 15 }, random)
      const answers = (): Float64Array => difficulty.map(value => value + 0.5 * random())
      return comparePaired(answers(), answers(), { seed: 1 }).p
    })
    expect(scored).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1500))
  })

  test('are called different at the nominal rate on clustered questions, within three standard errors of the simulation', () => {
    const clusters = clusterNames(40, 5)
    const share = falseAlarms(1000, random => {
      const answers = (): Float64Array => clusteredOutcomes(random, 40, 5, 0.7, 0.7)
      return comparePaired(answers(), answers(), { clusters, seed: 1 }).p
    })
    expect(share).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1000))
  })
})
