import { describe, expect, test } from 'vitest'
import { RulePlot } from '../../../src/charts/rule-plot.ts'
import type { RuleVerdict } from '../../../src/contract/releases/verdicts.schemas.ts'
import { byTag, childText, draw, numberOf } from './draw.ts'

const statistic = { method: 'clopper_pearson', alpha: 0.05, p: 0.01, p_adjusted: 0.01, p_fail: 1, p_fail_adjusted: 1 }
const passed: RuleVerdict = {
  key: 'score',
  kind: 'min_score',
  required: true,
  verdict: 'pass',
  estimate: 0.8,
  bound: 0.7,
  opposite_bound: 0.9,
  n: 80,
  threshold: 0.5,
  statistic,
  detail: '',
}
const drawn = (rule: RuleVerdict, rules: readonly RuleVerdict[] = [rule]) => {
  const plot = RulePlot({ rule, rules })
  if (plot === null) throw new Error('There is nothing to draw.')
  return draw(plot)
}
/** Where the interval begins and where it is open. */
const interval = (drawing: ReturnType<typeof draw>) =>
  /^M([\d.]+) .*H([\d.]+)M/
    .exec(String(byTag(drawing, 'path')[0]?.attributes['d']))
    ?.slice(1)
    .map(Number)

describe('RulePlot', () => {
  test('draws the one bound that a pass rests on, open to the better side, with the threshold and the axis named', () => {
    const drawing = drawn(passed)
    expect(childText(drawing.root, 'title')).toBe(
      'Estimate 80.0 %, at least 70.0 % (one-sided, 95 %), the rule asks for at least 50.0 %, n = 80',
    )
    expect(interval(drawing)).toEqual([240, 330])
    expect(drawing.texts).toEqual(['at least 50.0 %', '0 %', '20 %', '40 %', '60 %', '80 %', '100 %'])
  })

  test('shades the side where the rule passes', () => {
    const [above] = byTag(drawn(passed), 'rect')
    expect([numberOf(above, 'x'), numberOf(above, 'width')]).toEqual([180, 150])
    const [below] = byTag(drawn({ ...passed, kind: 'max_error_rate', threshold: 0.25 }), 'rect')
    expect([numberOf(below, 'x'), numberOf(below, 'width')]).toEqual([30, 75])
  })

  test('draws the opposite bound of a fail, open to the other side', () => {
    expect(interval(drawn({ ...passed, verdict: 'fail', estimate: 0.2, bound: 0.1, opposite_bound: 0.3 }))).toEqual([120, 30])
  })

  test('gives rules of one unit one axis, signed for differences', () => {
    const worse = { ...passed, kind: 'non_inferiority', estimate: 0.05, bound: -0.02, opposite_bound: 0.12, threshold: -0.1 }
    const better = { ...passed, kind: 'superiority', estimate: 0.4, bound: 0.3, opposite_bound: 0.5, threshold: 0.1 }
    const axes = [worse, better].map(rule => drawn(rule, [worse, better]).texts.slice(1))
    expect(axes[0]).toEqual(axes[1])
    expect(axes[0]).toContain('+40')
    expect(drawn(better).texts[0]).toBe('at least +10.0 points')
  })

  test('draws nothing where nothing was measured', () => {
    expect(RulePlot({ rule: { ...passed, estimate: null }, rules: [] })).toBeNull()
    expect(byTag(drawn({ ...passed, kind: 'open_issues', estimate: 2, bound: null, threshold: 0, statistic: null }), 'path')).toEqual([])
  })
})
