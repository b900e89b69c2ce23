import { describe, expect, test } from 'vitest'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { tangoInterval } from '../../../../src/engine/statistics/tango.ts'
import { mulberry32 } from '../../../../src/engine/statistics/random.ts'

const passed = (count: number, n: number): number[] => Array.from({ length: n }, (_, i) => (i < count ? 1 : 0))

describe('comparePaired', () => {
  test('compares pass/fail outcomes by Tango and the exact McNemar test', () => {
    const first = [...passed(5, 5), 0, ...passed(30, 38)]
    const second = [...passed(0, 5), 1, ...passed(30, 38)]
    const found = comparePaired(first, second, { binary: true, seed: 1 })
    expect(found).toMatchObject({ n: 44, wins: 5, losses: 1, ties: 38, test: 'mcnemar_exact', interval: { method: 'tango' }, reason: null })
    expect(found.p).toBeCloseTo(0.21875, 12)
    expect(found.interval?.low).toBeCloseTo(-0.0240066, 6)
    expect(found.interval?.high).toBeCloseTo(0.2223962, 6)
  })

  test('widens the interval where it would contradict the exact test, on both sides of the estimate', () => {
    const first = [1, 1, 1, 1, ...Array.from({ length: 9 }, () => 1)]
    const second = [0, 0, 0, 0, ...Array.from({ length: 9 }, () => 1)]
    const tango = tangoInterval({ onlyNew: 4, onlyOld: 0, n: 13 }, 0.95).value
    const found = comparePaired(first, second, { binary: true, seed: 1 })
    expect(found.difference).toBeCloseTo(4 / 13, 12)
    expect(found.p).toBeCloseTo(0.125, 12)
    expect(found.interval).toMatchObject({ method: 'mcnemar_exact', high: tango?.high })
    expect(tango?.low).toBeGreaterThan(0)
    // (2 · 0.025^(1/4) - 1) · 4/13: the exact test's end.
    expect(found.interval?.low).toBeCloseTo(((2 * 0.025 ** 0.25 - 1) * 4) / 13, 12)
    expect(found.interval?.high).toBeGreaterThan(4 / 13 + 0.1)
    const swapped = comparePaired(second, first, { binary: true, seed: 1 }).interval
    expect(swapped?.low).toBeCloseTo(-(found.interval?.high ?? 0), 12)
    expect(swapped?.high).toBeCloseTo(-(found.interval?.low ?? 0), 12)
  })

  test('compares few scores by permutation and the t interval', () => {
    const found = comparePaired([0.9, 0.8, 0.75, 0.6, 0.95, 0.5], [0.85, 0.82, 0.6, 0.55, 0.9, 0.3], { seed: 1 })
    expect(found).toMatchObject({ test: 'permutation_exact', interval: { method: 'paired_t' } })
    expect(found.p).toBe(0.0625)
  })

  test('compares many scores by the bootstrap, the same for the same seed', () => {
    const random = mulberry32(5)
    const first = Float64Array.from({ length: 200 }, random)
    const second = first.map(value => value - 0.05 + 0.2 * random())
    const found = comparePaired(first, second, { seed: 1 })
    expect(found).toMatchObject({ test: 'paired_t', interval: { method: 'bootstrap_bca' }, reason: null })
    expect(found.difference).toBeCloseTo(-0.05, 1)
    expect(found.p).toBeLessThan(0.001)
    expect(comparePaired(first, second, { seed: 1 })).toEqual(found)
    expect(comparePaired(first, second, { seed: 2 }).interval).not.toEqual(found.interval)
  })

  test('compares clustered questions by CR1', () => {
    const clusters = ['p', 'p', 'q', 'q', 'r', 'r', 'r', 'r', 's']
    const a = [0.9, 0.8, 0.1, 0.2, 0.5, 0.6, 0.55, 0.4, 1]
    const b = [0.82, 0.59, 0.1, 0.36, 0.5, 0.43, 0.46, 0.52, 0.9]
    const found = comparePaired(a, b, { clusters, seed: 1 })
    expect(found).toMatchObject({ test: 'cr1_t', interval: { method: 'cr1_t' }, cautions: [expect.stringContaining('Only 4 clusters')] })
    expect(found.standardError).toBeCloseTo(0.0417534685, 9)
  })

  test('finds no difference between a model and itself', () => {
    const same = passed(60, 100)
    expect(comparePaired(same, same, { binary: true, seed: 1 })).toMatchObject({
      difference: 0,
      p: 1,
      ties: 100,
      interval: { method: 'tango' },
    })
    const scores = same.map((value, i) => value + i / 1000)
    expect(comparePaired(scores, scores, { seed: 1 })).toMatchObject({ difference: 0, interval: null, p: null, reason: expect.any(String) })
    expect(comparePaired([0.1, 0.2], [0.1, 0.2], { seed: 1 })).toMatchObject({ p: 1, interval: null })
  })

  test('has nothing to say without questions', () => {
    expect(comparePaired([], [], { seed: 1 })).toMatchObject({ n: 0, difference: null, p: null, reason: 'There are no differences.' })
  })

  test('refuses lists of different length', () => expect(() => comparePaired([1], [1, 0], { seed: 1 })).toThrow('first has 1 entries'))
})
