import { describe, expect, test } from 'vitest'
import { formatSpan, majorityVote, regexFilter } from '../../../../../src/engine/grading/scorers/lm-eval/filters.ts'
import { taskPattern } from '../../../../../src/engine/grading/scorers/lm-eval/known-patterns.ts'
import { multiChoiceRegex } from '../../../../../src/engine/grading/scorers/lm-eval/multi-choice-regex.ts'
import { choiceAccuracies } from '../../../../../src/engine/grading/scorers/lm-eval/multiple-choice.ts'
import { pooledStandardError } from '../../../../../src/engine/grading/scorers/lm-eval/pooled-error.ts'
import { grade, valueOf } from './grade.ts'

describe('GSM8K of lm-evaluation-harness', () => {
  test.each([
    ['2 + 2 = 4\n#### 4', 1, 1],
    ['#### $18', 0, 1],
    ['#### 18.00', 0, 0],
    ['#### 18.', 1, 1],
    ['18, then done...', 0, 0],
    ['#### 17 no #### 18', 0, 1],
    ['#### 1,800', 0, 0],
    ['nothing', 0, 0],
  ])('%j is %d strictly and %d flexibly', (output, strict, flexible) => {
    const target = output.includes('= 4') ? 'four\n#### 4' : 'work\n#### 18'
    expect([valueOf('lm_eval/gsm8k_strict', {}, output, target), valueOf('lm_eval/gsm8k_flexible', {}, output, target)]).toEqual([
      strict,
      flexible,
    ])
  })

  test('shows the extracted text and its place, and says when there is none', () => {
    expect(grade('lm_eval/gsm8k_strict', {}, 'x #### 1,234 y', '#### 1234')).toMatchObject({
      value: 1,
      answer: '1,234',
      answerSpan: { start: 7, end: 12 },
    })
    expect(grade('lm_eval/gsm8k_strict', {}, 'x', '#### 1')).toMatchObject({
      value: 0,
      class: 'wrong',
      answer: '[invalid]',
      answerSpan: null,
    })
  })
})

describe('lm_eval/exact_match', () => {
  test.each([
    [{}, ' 42', '42', 0],
    [{ ignore_case: true, ignore_punctuation: true }, '(B)', 'b', 1],
    [{ ignore_punctuation: true }, '“A”', 'A', 0],
    [{ ignore_numbers: true }, 'a1', 'a2', 1],
    [{ regexes_to_ignore: ['\\s'] }, 'a b', 'ab', 1],
    [{ regex: { regex_pattern: 'is (\\w+)', group_select: -1 } }, 'it is no, it is yes', 'yes', 1],
    [{ regex: { regex_pattern: '^(\\w+)' }, strip: true }, ' yes it is', 'yes', 1],
    [{ regex: { regex_pattern: 'The answer is (\\-?[0-9\\.\\,]+).' } }, 'The answer is 42', '4', 1],
    // Every one of several groups is empty: the fallback, which the task may choose.
    [{ regex: { regex_pattern: '()(x?)', fallback: 'B' } }, 'a', 'B', 1],
    [{ filters: [{ function: 'regex', regex_pattern: '()()' }] }, 'a', '[invalid]', 1],
    [
      { filters: [{ function: 'lowercase' }, { function: 'regex', regex_pattern: 'is (\\w)' }, { function: 'uppercase' }] },
      'It Is b',
      'B',
      1,
    ],
    [{ filters: [{ function: 'map', mapping_dict: { yes: 1, no: 0 }, default_value: -1 }] }, 'no', '0', 1],
    [{ filters: [{ function: 'map', mapping_dict: { yes: 1 } }, { function: 'take_first' }] }, 'maybe', 'None', 1],
    [
      { filters: [{ function: 'format_span' }] },
      'ORGANIZATION: Shell Company $ LOCATION: Country Club $ PERSON: George',
      'org: shell company $ loc: country club $ per: george',
      1,
    ],
    [{ filters: [{ function: 'regex', regex_pattern: '(?<=the answer is )(\\w+)' }] }, 'so the answer is no.', 'no', 1],
  ])('%j on %j against %j is %d', (options, output, target, expected) =>
    expect(valueOf('lm_eval/exact_match', options, output, target)).toBe(expected),
  )
})

test('lm_eval/exact_match looks for the choices that a task in text names', () => {
  const filters = [{ function: 'multi_choice_regex', regex_pattern: '()()', ignore_case: true, ignore_punctuation: true, fallback: 'none' }]
  const more = { metadata: { choices: ['alpha', 'beta'] } }
  // Of lm-evaluation-harness's tests/test_filters.py.
  expect(grade('lm_eval/exact_match', { filters }, 'Alpha!', '(A)', more)).toMatchObject({ value: 1, answer: '(A)', answerSpan: null })
  expect(grade('lm_eval/exact_match', { filters }, ': B', '(B)', more)).toMatchObject({ value: 1 })
  expect(grade('lm_eval/exact_match', { filters }, 'gamma', 'none', more)).toMatchObject({ value: 1 })
})

describe('filters', () => {
  test('take the first group that is not empty of the chosen match', () => {
    expect(regexFilter(taskPattern('(x)?(\\d)'), 1, '1 x2')).toEqual({ text: 'x', start: 2, end: 3 })
    expect(regexFilter(taskPattern('\\d'), 0, 'a')).toBeNull()
    expect(() => regexFilter(taskPattern('\\d'), 3, '1 2')).toThrow(/matches 2 times/)
    expect(regexFilter(taskPattern('()()'), 0, 'a')).toBeNull()
  })

  test('vote for the most frequent, the first of equals', () => {
    expect([majorityVote(['a', 'b', 'b']), majorityVote(['b', 'a', 'a', 'b']), majorityVote([])]).toEqual(['b', 'b', undefined])
  })

  test('write entity spans with short labels and without "none"', () => {
    expect(formatSpan('Person: Ann, none\nLocation: Rome $ x: y')).toBe('per: ann $ loc: rome')
  })

  test.each([
    ['I say (B) then (C)', '(B)'],
    ['surely Rome', '(C)'],
    ['my choice: B', '(B)'],
    ['none', '[none]'],
  ])('multi_choice_regex reads %j as %s', (response, expected) => {
    const rules = { select: 0, ignoreCase: false, ignorePunctuation: false, ignored: [], fallback: '[none]' }
    expect(multiChoiceRegex(taskPattern('(\\([A-Z]\\))'), rules, ['London', 'Paris', 'Rome'], response)).toBe(expected)
  })
})

describe('multiple choice by log-likelihood', () => {
  test('normalizes by characters and by bytes, and takes the first of equals', () => {
    expect(choiceAccuracies({ choices: ['é', 'ab'], conditional: [-3, -5] }, [0])).toEqual({ acc: 1, acc_norm: 0, acc_bytes: 1 })
    expect(choiceAccuracies({ choices: ['a', 'b'], conditional: [-1, -1], unconditional: [-1, -4] }, [1])).toMatchObject({
      acc: 0,
      acc_mutual_info: 1,
    })
  })

  test('scores a sample from its metadata', () => {
    const more = { choices: ['no', 'yes please'], metadata: { loglikelihoods: [-4, -6] } }
    expect(grade('lm_eval/multiple_choice', {}, '', '1', more)).toMatchObject({
      value: 0,
      answer: 'no',
      values: { acc: 0, acc_norm: 1, acc_bytes: 1 },
    })
    expect(valueOf('lm_eval/multiple_choice', { metric: 'acc_norm' }, '', 'yes please', more)).toBe(1)
    expect(valueOf('lm_eval/multiple_choice', { metric: 'acc_mutual_info' }, '', '1', more)).toBeNull()
    expect(valueOf('lm_eval/multiple_choice', {}, '', '1', { choices: ['a'] })).toBeNull()
  })

  test('pools the standard errors of tasks', () =>
    expect(pooledStandardError([0.1, 0.1], [50, 50])).toBeCloseTo(Math.sqrt((2 * 49 * 50 * 0.01) / 98 / 100), 12))
})
