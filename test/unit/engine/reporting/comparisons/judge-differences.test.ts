import { describe, expect, test } from 'vitest'
import type { Difference } from '../../../../../src/contract/index.ts'
import { judgeDifferences } from '../../../../../src/engine/reporting/comparisons/judge-differences.ts'
import { measureDifference } from '../../../../../src/engine/reporting/comparisons/measure-difference.ts'
import { mulberry32, type Random } from '../../../../../src/engine/statistics/random.ts'

type Unjudged = Omit<Difference, 'p_adjusted' | 'verdict'>

const names = {
  contender_id: 'b',
  profile_id: 'p',
  title: 'P',
  metric: 'm',
  metric_title: 'M',
  primary: true,
  headline: true,
  clustered_by: null,
}
const level = 0.95

function difference(more: Partial<Unjudged>): Unjudged {
  return { ...names, ...measureDifference({ contender: [1, 0], baseline: [0, 1], binary: true, clusters: null }, level, 1), ...more }
}

function passes(rate: number, random: Random): number[] {
  return Array.from({ length: 120 }, () => (random() < rate ? 1 : 0))
}

describe('a verdict', () => {
  const above = { low: 0.01, high: 0.1, level, method: 'tango' }
  const below = { low: -0.1, high: -0.01, level, method: 'tango' }

  test('needs both the test and the interval', () => {
    const of = (more: Partial<Unjudged>) => judgeDifferences([difference(more)], level)[0]?.verdict
    expect(of({ p: 0.05, interval: above })).toBe('better')
    expect(of({ p: 0.05, interval: below })).toBe('worse')
    expect(of({ p: 0.051, interval: above })).toBe('not_shown')
    expect(of({ p: 0.01, interval: { ...above, low: -0.001 } })).toBe('not_shown')
    expect(of({ p: null, interval: null })).toBe('not_shown')
  })

  test('is of the adjusted p, over all that were tested', () => {
    const judged = judgeDifferences(
      [difference({ p: 0.03, interval: above }), difference({ p: null }), difference({ p: 0.02, interval: above })],
      level,
    )
    expect(judged.map(({ p_adjusted }) => p_adjusted)).toEqual([0.04, null, 0.04])
    expect(judged.map(({ verdict }) => verdict)).toEqual(['better', 'not_shown', 'better'])
    const four = judgeDifferences(
      [0.03, 0.02, 0.9, 0.8].map(p => difference({ p, interval: above })),
      level,
    )
    expect(four.map(({ verdict }) => verdict)).toEqual(four.map(() => 'not_shown'))
  })
})

describe('over 1,500 seeded comparisons of identical models', () => {
  test.each([1, 3])('with %i contenders, under 5 % call any of them different', contenders => {
    const random = mulberry32(11)
    const rounds = 1500
    let called = 0
    for (let round = 0; round < rounds; round++) {
      const baseline = passes(0.7, random)
      const measured = Array.from({ length: contenders }, () => ({
        ...names,
        ...measureDifference({ contender: passes(0.7, random), baseline, binary: true, clusters: null }, level, 1),
      }))
      if (judgeDifferences(measured, level).some(({ verdict }) => verdict !== 'not_shown')) called++
    }
    expect(called / rounds).toBeLessThan(0.05)
    expect(called).toBeGreaterThan(0)
  })
})
