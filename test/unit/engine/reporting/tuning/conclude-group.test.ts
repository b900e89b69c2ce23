import { describe, expect, test } from 'vitest'
import { concludeGroup, type RacedArm } from '../../../../../src/engine/reporting/tuning/conclude-group.ts'

const interval = (low: number, high: number) => ({ low, high, level: 0.95, method: 'tango' as const })
const estimate = (mean: number, low: number, high: number) => ({
  n: 100,
  mean,
  standard_error: 0.02,
  interval: interval(low, high),
  reason: null,
  cautions: [],
})
const look = (difference: RacedArm['looks'][number]['difference']): RacedArm['looks'][number] => ({
  look: 1,
  n: 100,
  share: 1,
  missing: 0,
  difference,
  z: 1,
  bound: 1.645,
  conditional_power: 0,
  at: '2026-11-24T00:00:00.000Z',
})
const arm = (label: string, changes: Partial<RacedArm> = {}): RacedArm => ({
  label,
  current: false,
  verdict: 'accepted',
  reason: 'noninferior',
  n: 100,
  difference: estimate(0, -0.031, 0.03),
  looks: [look(estimate(0, -0.042, 0.04))],
  cost_per_case_microusd: '39',
  cost_difference_microusd: { mean: -61, upper: -50, n: 100 },
  latency: { p50_ms: 100, p95_ms: 200, p95_upper_ms: 300 },
  ...changes,
})
const current = arm('current', {
  current: true,
  verdict: null,
  reason: null,
  cost_per_case_microusd: '100',
  cost_difference_microusd: null,
})
const conclude = (
  candidates: readonly RacedArm[],
  objective: { margin: number; max_latency_ms?: number; better_price_factor?: number } = { margin: 0.05 },
) => concludeGroup('g', [current, ...candidates], objective, 0.05, [])

describe('the conclusion of a group', () => {
  test('recommends the cheapest accepted arm in one sentence, with the bound of the look that accepted it', () => {
    const dearer = arm('A', { cost_per_case_microusd: '50' })
    expect(conclude([dearer, arm('B')])).toMatchObject({
      recommended: 'B',
      reason: 'recommended',
      text: 'B costs 61 % less than current and is at most 4.2 points worse.',
    })
  })

  test('recommends a better arm where none is cheaper, and names it beside one that is', () => {
    const objective = { margin: 0.05, better_price_factor: 1 }
    const looks = [look(estimate(0.06, 0.021, 0.1))]
    const better = arm('C', {
      reason: 'superior',
      looks,
      cost_per_case_microusd: '98',
      cost_difference_microusd: { mean: -2, upper: 3, n: 100 },
    })
    const dear = arm('D', { verdict: 'dropped', reason: 'not_cheaper' })
    expect(conclude([better, dear], objective)).toMatchObject({
      recommended: 'C',
      reason: 'recommended',
      better: 'C',
      text: 'C is better than current by at least 2.1 points at 0.98 times the price.',
    })
    expect(conclude([better, arm('B')], objective)).toMatchObject({
      recommended: 'B',
      better: 'C',
      text: 'B costs 61 % less than current and is at most 4.2 points worse. C is better than current by at least 2.1 points at 0.98 times the price.',
    })
    expect(conclude([arm('B')], objective)).toMatchObject({ recommended: 'B', better: null })
    expect(conclude([arm('B')])).not.toHaveProperty('better')
  })

  test.each([
    ['100', 'at the same price'],
    ['100.4', 'at about the same price'],
    ['99.6', 'at about the same price'],
    ['101', 'at 1.01 times the price'],
    ['0.4', 'at 0.004 times the price'],
    ['0', 'at no cost'],
  ])('says of a better arm at a cost of %s against 100: %s', (cost_per_case_microusd, price) => {
    const better = arm('C', { reason: 'superior', looks: [look(estimate(0.06, 0.021, 0.1))], cost_per_case_microusd })
    const { text } = conclude([better], { margin: 0.05, better_price_factor: 1 })
    expect(text).toBe(`C is better than current by at least 2.1 points ${price}.`)
  })

  test('settles a tie of costs by the median latency', () => {
    const quick = arm('quick', { latency: { p50_ms: 50, p95_ms: 200, p95_upper_ms: 300 } })
    expect(conclude([arm('slow'), quick]).recommended).toBe('quick')
  })

  test('recommends nothing that is not shown to cost less', () => {
    const unsure = arm('A', { cost_difference_microusd: { mean: -1, upper: 0.1, n: 100 } })
    expect(conclude([unsure])).toMatchObject({ recommended: null, reason: 'none_cheaper' })
    expect(conclude([arm('A', { verdict: 'dropped', reason: 'not_cheaper' })])).toMatchObject({ recommended: null, reason: 'none_cheaper' })
  })

  test('recommends nothing while rates are unknown', () => {
    const unpriced = arm('A', { cost_per_case_microusd: null, cost_difference_microusd: null })
    expect(conclude([unpriced])).toMatchObject({ recommended: null, reason: 'rates_unknown' })
  })

  test('passes over an arm whose p95 may exceed the latency limit', () => {
    const limited = { margin: 0.05, max_latency_ms: 250 }
    expect(conclude([arm('A')], limited)).toMatchObject({ recommended: null, reason: 'too_slow' })
    const quick = arm('B', { cost_per_case_microusd: '60', latency: { p50_ms: 90, p95_ms: 180, p95_upper_ms: 250 } })
    expect(conclude([arm('A'), quick], limited).recommended).toBe('B')
    const few = arm('C', { latency: { p50_ms: 1, p95_ms: 1, p95_upper_ms: null } })
    expect(conclude([few], limited).reason).toBe('too_slow')
  })

  test('says how many cases would decide, and nothing where more would not help', () => {
    const open = arm('A', { verdict: 'undecided', reason: 'inconclusive', looks: [look(estimate(-0.01, -0.06, 0.04))] })
    // (1.6449 + 0.8416)² · 0.02² · 100 / 0.04² = 154.6
    expect(conclude([open])).toMatchObject({ recommended: null, reason: 'none_accepted', cases_needed: 155 })
    const hopeless = look(estimate(-0.2, -0.3, -0.1))
    expect(conclude([arm('A', { verdict: 'dropped', reason: 'worse', looks: [hopeless] })]).cases_needed).toBeUndefined()
  })

  test('is unusable where every candidate has too few scores', () => {
    expect(conclude([arm('A', { verdict: 'undecided', reason: 'missing' })])).toMatchObject({ recommended: null, reason: 'unusable' })
  })
})
