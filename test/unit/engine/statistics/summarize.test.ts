import { describe, expect, test } from 'vitest'
import { summarizeMetric } from '../../../../src/engine/statistics/summarize.ts'

const binary = Array.from({ length: 100 }, (_, i) => (i < 70 ? 1 : 0))

describe('summarizeMetric', () => {
  test('gives a proportion its Wilson interval and a standard error over n - 1', () => {
    const summary = summarizeMetric(binary, { binary: true })
    expect(summary).toMatchObject({ n: 100, mean: 0.7, interval: { level: 0.95, method: 'wilson' }, reason: null, cautions: [] })
    // sqrt(p(1-p)/(n-1)), as Inspect and lm-evaluation-harness report it.
    expect(summary.standardError).toBeCloseTo(Math.sqrt(0.21 / 99), 12)
    expect(summary.interval?.low).toBeCloseTo(0.6041514537, 9)
    expect(summary.interval?.high).toBeCloseTo(0.781051147, 9)
  })

  test('gives scores their t interval, and a caution when they are few', () => {
    const summary = summarizeMetric([0.2, 0.9, 0.55, 0.7, 1, 0, 0.35])
    expect(summary.interval).toMatchObject({ method: 't' })
    expect(summary.interval?.low).toBeCloseTo(0.1889112635, 9)
    expect(summary.cautions).toEqual(['Only 7 values: the t interval assumes that the mean of so few is close to normal.'])
  })

  test('gives clustered scores CR1 and t with C-1 degrees of freedom, and a caution under 20 clusters', () => {
    const scores = [0.9, 0.8, 0.1, 0.2, 0.5, 0.6, 0.55, 0.4, 1]
    const summary = summarizeMetric(scores, { clusters: ['p', 'p', 'q', 'q', 'r', 'r', 'r', 'r', 's'] })
    expect(summary.standardError).toBeCloseTo(0.1428866794, 9)
    expect(summary.interval).toMatchObject({ method: 'cr1_t' })
    expect(summary.interval?.low).toBeCloseTo(0.1063819261, 9)
    expect(summary.interval?.high).toBeCloseTo(1.0158402962, 9)
    expect(summary.cautions).toEqual(['Only 4 clusters: below 20 a clustered interval is unreliable.'])
  })

  test('keeps a clustered proportion inside 0 and 1', () => {
    const outcomes = [1, 1, 1, 1, 1, 0]
    const { interval, standardError } = summarizeMetric(outcomes, { binary: true, clusters: ['a', 'a', 'b', 'b', 'c', 'c'] })
    expect(standardError).toBeGreaterThan(0)
    expect(interval).toMatchObject({ method: 'wilson_cr1' })
    expect(interval?.low).toBeGreaterThanOrEqual(0)
    expect(interval?.high).toBeLessThanOrEqual(1)
  })

  test('has no caution about clusters from 20 on', () => {
    const clusters = binary.map((_, i) => `c${i % 20}`)
    expect(summarizeMetric(binary, { binary: true, clusters }).cautions).toEqual([])
  })

  test('never shows a standard error of 0 as certainty', () => {
    const perfect = summarizeMetric([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], { binary: true })
    expect(perfect).toMatchObject({ mean: 1, standardError: 0, reason: null })
    expect(perfect.interval?.low).toBeCloseTo(0.7224672001, 9)
    expect(perfect.cautions).toHaveLength(1)
    const constant = summarizeMetric([0.5, 0.5, 0.5])
    expect(constant).toMatchObject({ mean: 0.5, standardError: 0, interval: null, reason: expect.stringContaining('equal') })
  })

  test('counts clusters as trials when all clustered outcomes are equal', () => {
    const clusters = Array.from({ length: 50 }, (_, i) => `c${i % 10}`)
    const summary = summarizeMetric(new Float64Array(50).fill(1), { binary: true, clusters })
    expect(summary.interval).toMatchObject({ method: 'wilson_clusters', high: 1 })
    expect(summary.interval?.low).toBeCloseTo(0.7224672001, 9)
    expect(summary.cautions).toContain('All outcomes are equal, so the interval counts each cluster as one trial.')
  })

  test('has a mean but no standard error for a single value', () => {
    expect(summarizeMetric([0.4])).toMatchObject({ n: 1, mean: 0.4, standardError: null, interval: null, reason: expect.any(String) })
    expect(summarizeMetric([1], { binary: true })).toMatchObject({ mean: 1, standardError: null, interval: { method: 'wilson' } })
  })

  test('has no standard error for a single cluster', () => {
    const summary = summarizeMetric([1, 0, 1], { clusters: ['a', 'a', 'a'] })
    expect(summary).toMatchObject({ mean: 2 / 3, standardError: null, interval: null, reason: expect.stringContaining('one cluster') })
  })

  test('has nothing for no values, values that are not finite, and a binary metric with other values', () => {
    const nothing = { mean: null, standardError: null, interval: null, cautions: [] }
    expect(summarizeMetric([])).toEqual({ n: 0, ...nothing, reason: 'There are no values.' })
    expect(summarizeMetric([1, Number.NaN])).toMatchObject({ n: 2, ...nothing, reason: expect.stringContaining('position 1 is NaN') })
    expect(summarizeMetric([1, 0.5], { binary: true })).toMatchObject({ ...nothing, reason: expect.stringContaining('position 1 is 0.5') })
  })

  test('refuses a level outside 0 to 1 and clusters of another length', () => {
    expect(() => summarizeMetric(binary, { level: 95 })).toThrow('level is 95')
    expect(() => summarizeMetric([1, 0], { clusters: ['a'] })).toThrow('clusters has 1')
  })

  test('keeps the interval of a proportion over epochs within 0 and 1, also where all are right or all wrong', () => {
    const right = summarizeMetric([1, 1, 1, 1], { shares: true })
    expect(right).toMatchObject({ mean: 1, standardError: 0, interval: { high: 1, method: 'wilson_clusters' } })
    expect(right.interval?.low).toBeCloseTo(0.5101, 3)
    expect(summarizeMetric([0, 0, 0], { shares: true }).interval).toMatchObject({ low: 0, method: 'wilson_clusters' })
    const near = summarizeMetric([1, 1, 1, 1, 0.5], { shares: true })
    expect(near.interval).toMatchObject({ method: 'wilson_cr1' })
    expect(near.interval?.high).toBeLessThanOrEqual(1)
    expect(near.interval?.low).toBeGreaterThan(0)
    // The same data one by one, clustered by question, give the same interval.
    const flat = summarizeMetric([1, 1, 1, 1, 1, 1, 1, 1, 1, 0], {
      binary: true,
      clusters: ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e'],
    })
    expect(near.interval?.low).toBeCloseTo(flat.interval?.low ?? 0, 12)
    expect(summarizeMetric([0.5], { shares: true }).standardError).toBeNull()
  })
})
