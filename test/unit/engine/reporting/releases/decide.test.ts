import { describe, expect, test } from 'vitest'
import { alphaOfLook, decideRelease } from '../../../../../src/engine/reporting/releases/decide.ts'
import { figuresOf, groupOf, pairedCounts, sideOf } from '../../../../support/release-figures.ts'

const one = (
  rule: Parameters<typeof figuresOf>[0][number],
  ...rest: [Parameters<typeof figuresOf>[1], Parameters<typeof figuresOf>[2]?]
) => {
  const [found] = decideRelease(figuresOf([rule], ...rest)).rules
  if (!found) throw new Error('no verdict')
  return found
}

/** 6b_verification against 175b_finetuning: 306 both, 209 and 152 discordant, 652 neither, n = 1,319. */
const gsm8k = pairedCounts(209, 152, 306, 652)
const reversed = pairedCounts(152, 209, 306, 652)

describe('the GSM8K columns', () => {
  test('are superior and not inferior at 0.03, with the figures of Tango’s score', () => {
    const superior = one({ kind: 'superiority', key: 'a' }, [gsm8k])
    expect(superior).toMatchObject({ verdict: 'pass', n: 1319, threshold: 0, statistic: { method: 'tango' } })
    expect(superior.estimate).toBeCloseTo(0.0432, 4)
    expect(superior.bound).toBeCloseTo(0.0196, 4)
    expect(superior.opposite_bound).toBeCloseTo(0.0669, 4)
    const notInferior = one({ kind: 'non_inferiority', key: 'a', margin: 0.03 }, [gsm8k])
    expect(notInferior.verdict).toBe('pass')
    expect(notInferior.statistic?.p).toBeCloseTo(2.3e-7, 8)
  })

  test('reversed pass at 0.10, are inconclusive at 0.05 and fail at 0.01', () => {
    const at = (margin: number) => one({ kind: 'non_inferiority', key: 'a', margin }, [reversed])
    expect([at(0.1).verdict, at(0.05).verdict, at(0.01).verdict]).toEqual(['pass', 'inconclusive', 'fail'])
    expect(at(0.1).statistic?.p).toBeCloseTo(4.6e-5, 6)
    expect(at(0.05).detail).toMatch(/about [\d,]+ tasks would decide it \(now 1,319\), about \$/)
  })
})

describe('one rule', () => {
  const values = (n: number, passed: number) => Array.from({ length: n }, (_, i) => (i < passed ? 1 : 0))

  test('on a rate has the Clopper–Pearson bounds', () => {
    const found = one({ kind: 'min_score', key: 'a', threshold: 0.9 }, [groupOf(values(100, 97), null)])
    expect(found).toMatchObject({ verdict: 'pass', n: 100, estimate: 0.97, statistic: { method: 'clopper_pearson' } })
    // scipy.stats.binomtest(97, 100).proportion_ci(0.9, 'exact')
    expect(found.bound).toBeCloseTo(0.92426, 4)
    expect(one({ kind: 'min_score', key: 'a', threshold: 0.99 }, [groupOf(values(100, 90), null)]).verdict).toBe('fail')
    expect(one({ kind: 'min_score', key: 'a', threshold: 0.95 }, [groupOf(values(20, 20), null)]).verdict).toBe('inconclusive')
  })

  test('on up to 20 scores flips signs exactly, and its bounds agree with its p-values', () => {
    const candidate = [0.9, 0.8, 0.75, 0.6, 0.95, 0.7, 0.85, 0.65]
    const baseline = [0.5, 0.6, 0.7, 0.55, 0.6, 0.65, 0.5, 0.6]
    const group = groupOf(candidate, baseline, { candidate: sideOf(candidate, false), baseline: sideOf(baseline, false) })
    const found = one({ kind: 'superiority', key: 'a' }, [group])
    expect(found).toMatchObject({ verdict: 'pass', statistic: { method: 'sign_flip_permutation', p: 1 / 256 } })
    const above = one({ kind: 'superiority', key: 'a', delta: (found.bound ?? 0) + 1e-6 }, [group])
    expect(above.verdict).toBe('inconclusive')
    expect(one({ kind: 'superiority', key: 'a', delta: (found.bound ?? 0) - 1e-6 }, [group]).verdict).toBe('pass')
  })

  test('on clustered tasks uses CR1, and says so below 20 clusters', () => {
    const passed = values(60, 50)
    const clusters = passed.map((_, i) => `c${i % 10}`)
    const figures = figuresOf([{ kind: 'superiority', key: 'a' }], [groupOf(passed, values(60, 5), { clusters })])
    const decided = decideRelease(figures)
    expect(decided.rules[0]).toMatchObject({ verdict: 'pass', statistic: { method: 'cr1_t' } })
    expect(decided.cautions.join()).toContain('fewer than 20 clusters')
    expect(decideRelease({ ...figures, looks: 3, look: 2 }).rules[0]).toMatchObject({ verdict: 'inconclusive' })
  })

  test('on latency uses order statistics; timeouts are slower than any answer', () => {
    const latency = Float64Array.from({ length: 100 }, (_, i) => (i < 98 ? 100 + i : Number.POSITIVE_INFINITY))
    const group = groupOf(values(100, 100), null)
    const groups = [{ ...group, candidate: { ...group.candidate, latency } }]
    const at = (quantile: number, max_ms: number) => one({ kind: 'max_latency', key: 'a', quantile, max_ms }, groups)
    // Least k with BinomCDF(k-1; 100, 0.9) >= 0.95 is 96; greatest with <= 0.05 is 85.
    expect(at(0.9, 195)).toMatchObject({ verdict: 'pass', bound: 195, opposite_bound: 184 })
    expect(at(0.9, 194).verdict).toBe('inconclusive')
    expect(at(0.9, 183).verdict).toBe('fail')
    expect(at(0.99, 86_400_000)).toMatchObject({ verdict: 'inconclusive', bound: null })
  })

  test('never passes on a weighted suite by certainty alone, and knows a cost of nothing', () => {
    const all = [groupOf(values(10, 10), null), { ...groupOf(values(10, 10), null), key: 'b' }]
    expect(one({ kind: 'min_score', key: 'a', threshold: 0.99 }, all)).toMatchObject({
      verdict: 'inconclusive',
      statistic: { method: 'weighted_t' },
    })
    const free = all.map(group => ({ ...group, candidate: { ...group.candidate, cost: new Float64Array(10) } }))
    expect(one({ kind: 'max_cost', key: 'a', max_microusd_per_task: '0' }, free).verdict).toBe('pass')
    const unknown = all.map(group => ({ ...group, candidate: { ...group.candidate, cost: new Float64Array(10).fill(Number.NaN) } }))
    expect(one({ kind: 'max_cost', key: 'a', max_microusd_per_task: '9' }, unknown)).toMatchObject({
      verdict: 'inconclusive',
      estimate: null,
    })
  })

  test('by point makes no statistical claim', () => {
    expect(one({ kind: 'min_score', key: 'a', threshold: 0.5, basis: 'point' }, [groupOf(values(4, 2), null)])).toMatchObject({
      verdict: 'pass',
      statistic: null,
      detail: expect.stringContaining('no statistical claim'),
    })
  })

  test('counts confirmed critical regressions only', () => {
    const group = { ...groupOf([0, 0, 1], [1, 1, 1]), critical: true }
    const rule = { kind: 'no_critical_regression', key: 'a' } as const
    const asked = decideRelease(figuresOf([rule], [group]))
    expect(asked.suspects.map(({ task }) => task)).toEqual(['task 0', 'task 1'])
    expect(asked.rules[0]?.verdict).toBe('missing')
    const answer = (task: string, candidatePasses: boolean | null) => ({
      group: 'all',
      metric: '',
      task,
      candidatePasses,
      baselinePasses: true,
    })
    const after = (first: boolean | null, second: boolean | null) =>
      one(rule, [group], { confirmations: [answer('task 0', first), answer('task 1', second)] }).verdict
    expect([after(true, true), after(true, false), after(true, null)]).toEqual(['pass', 'fail', 'inconclusive'])
  })

  test('on a judge wants its own calibration, fresh and large enough', () => {
    const rule = { kind: 'judge_calibrated', key: 'a', min_kappa: 0.6, min_n: 50, max_age_days: 30 } as const
    const judged = (calibrations: { evaluatorVersionId: string; kappaLower: number | null; n: number; at: string }[]) =>
      one(rule, [groupOf([1], null)], {
        facts: { ...figuresOf([], []).facts, judges: ['judge'], calibrations: calibrations.map(facts => ({ name: 'c', ...facts })) },
      }).verdict
    const good = { evaluatorVersionId: 'judge', kappaLower: 0.7, n: 60, at: '2026-11-01T00:00:00.000Z' }
    expect([judged([good]), judged([]), judged([{ ...good, evaluatorVersionId: 'other' }])]).toEqual(['pass', 'missing', 'fail'])
    expect([judged([{ ...good, n: 49 }]), judged([{ ...good, at: '2026-10-01T00:00:00.000Z' }])]).toEqual(['fail', 'fail'])
  })
})

describe('several rules', () => {
  test('of one set are one requirement, by Holm', () => {
    const rules = [
      { kind: 'superiority', key: 'a', any_of: 'better', group: 'a' },
      { kind: 'superiority', key: 'b', any_of: 'better', group: 'b' },
    ] as const
    const groups = [
      { ...pairedCounts(30, 10, 50, 10), key: 'a' },
      { ...pairedCounts(10, 12, 50, 28), key: 'b' },
    ]
    const decided = decideRelease(figuresOf(rules, groups))
    expect(decided.rules.map(({ verdict }) => verdict)).toEqual(['pass', 'inconclusive'])
    expect(decided.recommendation).toBe('approve')
    expect(decided.rules[0]?.statistic?.p_adjusted).toBeCloseTo(2 * (decided.rules[0]?.statistic?.p ?? 0), 12)
  })

  test('fail by Holm over the fail sides', () => {
    const rule = (key: string) => ({ kind: 'min_score', key, threshold: 0.9 }) as const
    const group = groupOf(
      Array.from({ length: 40 }, (_, i) => (i < 32 ? 1 : 0)),
      null,
    )
    expect(decideRelease(figuresOf([rule('a')], [group])).rules[0]?.verdict).toBe('fail')
    expect(decideRelease(figuresOf([rule('a'), rule('b')], [group])).rules.map(({ verdict }) => verdict)).toEqual([
      'inconclusive',
      'inconclusive',
    ])
  })

  test('approve nothing where none is required', () => {
    const rules = [{ kind: 'min_score', key: 'a', threshold: 0.5, required: false } as const]
    expect(decideRelease(figuresOf(rules, [groupOf([1, 1, 1], null)])).recommendation).toBe('inconclusive')
  })

  test('are not blocked by one that is not required', () => {
    const rules = [
      { kind: 'min_score', key: 'a', threshold: 0.1 },
      { kind: 'min_score', key: 'b', threshold: 1, required: false },
    ] as const
    expect(
      decideRelease(
        figuresOf(rules, [
          groupOf(
            Array.from({ length: 40 }, (_, i) => i % 2),
            null,
          ),
        ]),
      ).recommendation,
    ).toBe('approve')
  })
})

test('looks spend O’Brien and Fleming’s α', () => {
  // The one-sided spending 2(1 - Φ(z/√t)) at the first of two equal looks, α = 0.05.
  expect(alphaOfLook(0.05, 1, 2)).toBeCloseTo(0.00557, 4)
  expect(alphaOfLook(0.05, 2, 2)).toBeGreaterThan(0.045)
  expect(alphaOfLook(0.05, 1, 1)).toBe(0.05)
})
