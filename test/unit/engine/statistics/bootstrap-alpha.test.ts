import { describe, expect, test } from 'vitest'
import { bootstrapAlpha } from '../../../../src/engine/statistics/bootstrap-alpha.ts'
import { krippendorffAlpha } from '../../../../src/engine/statistics/krippendorff.ts'
import { mulberry32 } from '../../../../src/engine/statistics/random.ts'

/** Items that two raters judge; each errs once in ten. */
function judged(items: number, random: () => number): number[][] {
  return Array.from({ length: items }, () => {
    const truth = Math.floor(random() * 3)
    const rating = () => (random() < 0.1 ? Math.floor(random() * 3) : truth)
    return [rating(), rating()]
  })
}

describe('alpha with a bootstrap interval', () => {
  test.each(['nominal', 'interval'] as const)('is the plain alpha on the %s scale, and its replicates are centered on it', scale => {
    const units = judged(500, mulberry32(1))
    const { alpha, interval, standardError, pairableUnits } = bootstrapAlpha(units, scale, { seed: 2, replicates: 4000 })
    expect(alpha).toBe(krippendorffAlpha(units, scale).alpha)
    expect(pairableUnits).toBe(500)
    const middle = ((interval?.low ?? 0) + (interval?.high ?? 0)) / 2
    expect(middle).toBeCloseTo(alpha ?? 0, 2)
    // A percentile interval of a nearly normal statistic is about 2 × 1.96 standard errors wide.
    expect(((interval?.high ?? 0) - (interval?.low ?? 0)) / (standardError ?? 1)).toBeCloseTo(3.92, 0)
  })

  test('covers the alpha of the population about 95 times in 100', () => {
    const random = mulberry32(3)
    const population = krippendorffAlpha(judged(200_000, random), 'nominal').alpha ?? 0
    const rounds = 300
    let covered = 0
    for (let i = 0; i < rounds; i++) {
      const { interval } = bootstrapAlpha(judged(200, random), 'nominal', { seed: i, replicates: 400 })
      if (interval && interval.low <= population && population <= interval.high) covered++
    }
    expect(covered / rounds).toBeGreaterThan(0.91)
    expect(covered / rounds).toBeLessThan(0.985)
  })

  test('says why there is no interval', () => {
    expect(bootstrapAlpha([[1], [2]], 'nominal', { seed: 1 })).toMatchObject({ alpha: null, interval: null, pairableUnits: 0 })
    const same = bootstrapAlpha(
      [
        [1, 1],
        [1, 1],
      ],
      'nominal',
      { seed: 1 },
    )
    expect(same).toMatchObject({ alpha: 1, interval: null })
    expect(same.reason).toContain('one value alone')
  })
})
