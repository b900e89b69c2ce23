import { describe, expect, test } from 'vitest'
import { createTurnGrader } from '../../../../src/engine/execution/scheduler/grade-in-turn.ts'
import type { MetricPlan } from '../../../../src/engine/execution/scheduler/ports.ts'
import { boundedScorers } from '../../../../src/engine/grading/scorers/bounded-scorers.ts'
import { prepareScorer, scorers } from '../../../../src/engine/grading/scorers/registry.ts'
import { slowness } from '../../../support/machine-speed.ts'

const metric = (scorer: string, options: MetricPlan['options'] = {}): MetricPlan => ({ id: 'm', scorer, options, primary: true })
const gsm8k = metric('lm_eval/gsm8k_flexible')
const input = { output: 'They have 13.', targets: ['13'], metadata: {} }

describe('grading in the scheduler’s turn', () => {
  test('says what the scorer says', () => {
    const { grade } = createTurnGrader([gsm8k, metric('assay/numeric')], () => 0)
    const expected = [gsm8k, metric('assay/numeric')].map(({ scorer, options }) => prepareScorer({ scorer, options })(input))
    expect(grade(input)).toEqual(expected)
    expect(expected.map(score => score.class)).toEqual(['correct', 'correct'])
  })

  test.each([
    ['a scorer that is not on the list', [metric('assay/edit_distance')]],
    ['one such scorer among others', [gsm8k, metric('assay/edit_distance')]],
    ['a pattern of a person’s own', [metric('assay/exact_match', { extraction: { pattern: '(a+)+$' } })]],
    ['options that make no sense', [metric('assay/numeric', { absolute: -1 })]],
    ['no scorer at all', []],
  ])('leaves %s to the threads', (_, metrics) => {
    expect(createTurnGrader(metrics, () => 0).grade(input)).toBeNull()
  })

  test('leaves a long answer, or one with long targets, to the threads', () => {
    const { grade } = createTurnGrader([gsm8k], () => 0)
    expect(grade({ ...input, output: '1'.repeat(8_001) })).toBeNull()
    expect(grade({ ...input, targets: ['1'.repeat(8_001)] })).toBeNull()
    expect(grade({ ...input, output: '1'.repeat(7_000) })).not.toBeNull()
  })

  test('leaves everything to the threads after three answers that took longer than allowed', () => {
    let at = 0
    const { grade } = createTurnGrader([gsm8k], () => (at += 6))
    expect([1, 2, 3, 4].map(() => grade(input) !== null)).toEqual([true, true, true, false])
  })

  test.each([...boundedScorers])('%s is a scorer, and quick on the worst answers of the length that is graded here', id => {
    expect(scorers.has(id)).toBe(true)
    const score = prepareScorer({ scorer: id })
    const hostile = ['. ', '1,', '(a', '\\boxed{', 'answer is ', '#### ', '$', ' ', '9.'].map(part => part.repeat(8_000 / part.length))
    const slow = slowness()
    for (const output of hostile) {
      const began = process.threadCpuUsage().user
      score({ ...input, output: `${output}x`, choices: ['a', 'b'] })
      expect((process.threadCpuUsage().user - began) / 1000).toBeLessThan(100 * slow)
    }
  })
})
