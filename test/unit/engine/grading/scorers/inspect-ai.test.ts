import { describe, expect, test } from 'vitest'
import { chineseNumber } from '../../../../../src/engine/grading/scorers/inspect-ai/chinese-number.ts'
import {
  defaultPatternGrade,
  neutralizeDelimiters,
  offeredGrade,
} from '../../../../../src/engine/grading/scorers/inspect-ai/model-grade.ts'
import {
  choiceLabel,
  choicePosition,
  letteredChoices,
  parseAnswers,
} from '../../../../../src/engine/grading/scorers/inspect-ai/multiple-choice.ts'
import {
  atLeast,
  maxOf,
  meanOf,
  modeOf,
  passAll,
  passAt,
  reduceEpochs,
} from '../../../../../src/engine/grading/scorers/inspect-ai/reducers.ts'
import { parseNumber } from '../../../../../src/engine/grading/scorers/inspect-ai/unicode-number.ts'
import { valueToFloat } from '../../../../../src/engine/grading/scorers/inspect-ai/value-to-float.ts'
import { grade, valueOf } from './grade.ts'

describe('inspect_ai/match', () => {
  test.each([
    [{}, 'It is Rome!', 'rome', 'C'],
    [{}, 'Rome it is', 'rome', 'I'],
    [{ location: 'begin' }, '"Rome" it is', 'Rome', 'C'],
    [{}, 'anything', '', 'C'],
    [{ numeric: true }, 'about 12345.6', '12345.7', 'C'],
    [{ numeric: true }, '10 km', '10', 'C'],
    [{ numeric: true }, '10km', '10', 'I'],
    [{ numeric: true }, '(42)!', '42', 'I'],
    [{ numeric: true }, '2³', '8', 'C'],
    [{ numeric: true }, 'it is 2½', '2.5', 'C'],
    [{ numeric: true }, '三', '3', 'C'],
    [{ numeric: true }, '60%', '60', 'I'],
    [{ numeric: true }, '28 + 32 = 60%', '32', 'C'],
    [{ numeric: true, location: 'any' }, '1 2 3', '2', 'C'],
    [{ numeric: true, location: 'exact' }, '2.50', '2.5', 'C'],
  ])('%j on %j against %j is %s', (options, output, target, expected) =>
    expect(grade('inspect_ai/match', options, output, target).label).toBe(expected),
  )

  test('gives the number it compared and its place', () => {
    expect(grade('inspect_ai/match', { numeric: true }, 'so 25 then', '5')).toMatchObject({
      value: 0,
      answer: '25',
      answerSpan: { start: 3, end: 5 },
    })
  })
})

describe('numbers as text', () => {
  test.each([
    ['-½', -0.5],
    ['−5', -5],
    ['１２３', 123],
    ["1'000", 1000],
    ['1.234,5', 1234.5],
    ['-2²', 4],
    ['Ⅻ', 12],
    ['⑩', 10],
    ['十二⅓', 12 + 1 / 3],
    ['1e5', 1e5],
    ['五5', 55],
    ['nan', null],
    ['12abc', null],
    ['', null],
    ['²', 2],
    ['½½', null],
  ])('%s is %s', (text, expected) => expect(parseNumber(text)).toBe(expected))

  test.each([
    ['二〇二五', 2025],
    ['一百二十', 120],
    ['三万五千', 35_000],
    ['两亿', 2e8],
    ['十', 10],
    ['三点一四', 3.14],
    ['卅二', 32],
    ['a', null],
  ])('%s in Chinese numerals is %s', (text, expected) => expect(chineseNumber(text)).toBe(expected))
})

describe('other scorers', () => {
  test.each([
    ['inspect_ai/includes', {}, 'STRASSE 5', 'straße', 'C'],
    ['inspect_ai/pattern', { pattern: 'A: (\\d+)' }, 'a: 5', '5', 'C'],
    ['inspect_ai/pattern', { pattern: 'A: (\\d+)' }, 'b', '5', 'N'],
    ['inspect_ai/pattern', { pattern: 'A' }, 'A', 'A', 'I'],
    ['inspect_ai/pattern', { pattern: '(\\w) (\\w)', match_all: true }, 'a a', 'a', 'C'],
    ['inspect_ai/answer', { pattern: 'letter' }, 'ANSWER: A\nno, answer : b.', 'B', 'C'],
    ['inspect_ai/answer', { pattern: 'word' }, 'ANSWER: Yes then more', 'Yes', 'N'],
    ['inspect_ai/answer', { pattern: 'word' }, 'ANSWER: yes.\nBye', 'Yes', 'C'],
    ['inspect_ai/answer', { pattern: 'line' }, 'ANSWER: a b\n\n', 'a b', 'C'],
    ['inspect_ai/answer', { pattern: 'line' }, 'ANSWER: a\nmore', 'a', 'N'],
    ['inspect_ai/exact', {}, 'The U.S., $1,000.', 'us 1000', 'C'],
    ['inspect_ai/exact', {}, 'c b', 'b c', 'I'],
  ])('%s with %j on %j against %j is %s', (scorer, options, output, target, expected) =>
    expect(grade(scorer, options, output, target).label).toBe(expected),
  )

  test('gives N the value 0 and no answer', () => {
    expect(grade('inspect_ai/answer', { pattern: 'letter' }, 'none', 'A')).toMatchObject({
      value: 0,
      class: 'wrong',
      answer: null,
      label: 'N',
    })
  })

  test.each([
    [{}, 'Paris', ['Paris, Texas', 'x'], 0.67],
    [{ stop_words: ['Texas'] }, 'Paris', ['Paris, Texas'], 1],
    [{}, 'x', [' '], 0],
  ])('F1 with %j of %j against %j is %d', (options, output, targets, expected) =>
    expect(valueOf('inspect_ai/f1', options, output, targets)).toBe(expected),
  )
})

describe('multiple choice', () => {
  test.each([
    ['ANSWER: A, C.', true, ['A', 'C']],
    ['ANSWER: A and C', true, ['A', 'C']],
    ['ANSWER: CA', true, ['A', 'C']],
    ['ANSWER: ACE', true, []],
    ['Answer: b\nANSWER: C', false, ['C']],
    ['ANSWER: AB', false, []],
    ['ANSWER: A,', false, ['A']],
    ["ANSWER: I don't know", false, []],
    ['so my answer: D', false, ['D']],
    ['none', false, []],
  ])('%j (several: %s) marks %j', (output, multiple, expected) => expect(parseAnswers(output, 4, multiple)).toEqual(expected))

  test('compares positions from before shuffling', () => {
    const shuffled = { choices: ['c', 'a', 'b'], metadata: { original_positions: [2, 0, 1] } }
    expect(grade('inspect_ai/choice', {}, 'ANSWER: A', 'C', shuffled)).toMatchObject({ label: 'C', answer: 'C' })
    expect(valueOf('inspect_ai/choice', { multiple_correct: true }, 'ANSWER: A, B', 'A, C', shuffled)).toBe(1)
    expect(valueOf('inspect_ai/choice', { multiple_correct: true }, 'ANSWER: A, B', 'C', shuffled)).toBe(0)
    expect(valueOf('inspect_ai/choice', {}, 'nothing', '', { choices: ['a'] })).toBe(1)
  })

  test('shows and grades the choices after Z under the same labels', () => {
    const choices = Array.from({ length: 30 }, (_, i) => `choice ${i + 1}`)
    expect(letteredChoices(choices).split('\n').slice(25, 28)).toEqual(['Z) choice 26', '1) choice 27', '2) choice 28'])
    for (const scorer of ['inspect_ai/choice', 'assay/choice']) {
      expect(valueOf(scorer, {}, 'ANSWER: 2', '2', { choices })).toBe(1)
      expect(valueOf(scorer, {}, 'ANSWER: B', '2', { choices })).toBe(0)
      expect(valueOf(scorer, {}, 'ANSWER: 2', 'C', { choices })).toBe(0)
    }
    const loglikelihoods = choices.map((_, i) => (i === 27 ? -1 : -5))
    const measured = { choices, metadata: { loglikelihoods } }
    expect(valueOf('lm_eval/multiple_choice', {}, '', '2', measured)).toBe(1)
    expect(valueOf('lm_eval/multiple_choice', {}, '', 'C', measured)).toBe(0)
    // With fewer, a number is a position.
    const few = { choices: choices.slice(0, 26), metadata: { loglikelihoods: loglikelihoods.slice(0, 26).with(2, -1) } }
    expect(valueOf('lm_eval/multiple_choice', {}, '', '2', few)).toBe(1)
  })

  test('finds a choice among more than 26 by its text before a number as a label', () => {
    const years = Array.from({ length: 30 }, (_, i) => String(1990 + i))
    const numbers = years.map((_, i) => String(i))
    const loglikelihoods = (right: number) => years.map((_, i) => (i === right ? -1 : -5))
    const measured = (choices: readonly string[], right: number, target: string) =>
      valueOf('lm_eval/multiple_choice', {}, '', target, { choices, metadata: { loglikelihoods: loglikelihoods(right) } })
    expect([measured(years, 5, '1995'), measured(years, 27, '2'), measured(numbers, 1, '1'), measured(numbers, 26, '1')]).toEqual([
      1, 1, 1, 0,
    ])
  })

  test('leaves unscored what does not mark a choice after Z, and shows the label that is marked', () => {
    const choices = Array.from({ length: 40 }, (_, i) => `choice ${i + 1}`)
    for (const output of ['3', '3)', '(3)', '**3**', 'The answer is 3.', 'Answer: **3**', String.raw`\boxed{3}`, 'Option 3 is correct.'])
      expect([output, valueOf('assay/choice', {}, output, '3', { choices })]).toEqual([output, null])
    for (const output of ['5', 'It is 3 or 5, I cannot tell.']) expect(valueOf('assay/choice', {}, output, '3', { choices })).toBeNull()
    expect(grade('assay/choice', {}, 'The answer is 5.', '3', { choices }).explanation).toMatch(/^"5" may be the label of a choice after Z/)
    const output = 'There are 3 of 5.\nANSWER: 3\n'
    expect(grade('assay/choice', {}, output, '3', { choices })).toMatchObject({ value: 1, answer: '3', answerSpan: { start: 26, end: 27 } })
    expect(valueOf('assay/choice', {}, 'choice 29', '3', { choices })).toBe(1)
    const sets = ['11,B', 'B and 11', 'B 11', 'AC']
    const outputs = ['ANSWER: B, 11', 'ANSWER: 11, B', 'ANSWER: B and 11', 'ANSWER: A, C']
    const named = (target: string, i: number) => valueOf('assay/choice', { multiple_correct: true }, outputs[i] ?? '', target, { choices })
    expect(sets.map(named)).toEqual([1, 1, 1, 1])
    expect(valueOf('assay/choice', { multiple_correct: true }, 'ANSWER: 1, B', '99,B', { choices })).toBeNull()
  })

  test('judges what is no label after Z where a choice after Z is right', () => {
    const choices = Array.from({ length: 40 }, (_, i) => `choice ${i + 1}`)
    const wrong = ['', 'I cannot help with that.', 'The answer is B.', 'choice 5', '3) choice 5', 'ANSWER: 4', '2019', '3.5', '40', 'GPT3']
    for (const output of wrong) expect([output, valueOf('assay/choice', {}, output, '3', { choices })]).toEqual([output, 0])
    for (const output of ['choice 29', '3) choice 29'])
      expect([output, valueOf('assay/choice', {}, output, '3', { choices })]).toEqual([output, 1])
    expect(valueOf('assay/choice', { no_answer: 'unscored' }, '', '3', { choices })).toBeNull()
    // Numbers that are choices: position 30 has the label 5, and "5" is the text of position 5.
    const numbers = Array.from({ length: 60 }, (_, i) => String(i))
    const values = ['30', '31', '5', 'ANSWER: 5', 'ANSWER: 30', '59'].map(output =>
      valueOf('assay/choice', {}, output, '5', { choices: numbers }),
    )
    expect(values).toEqual([1, 0, null, 1, 0, 0])
  })

  test('labels A to Z, then numbers', () => {
    expect([choiceLabel(0), choiceLabel(25), choiceLabel(26), choicePosition('z'), choicePosition('2'), choicePosition('?')]).toEqual([
      'A',
      'Z',
      '1',
      25,
      27,
      null,
    ])
  })
})

describe('a judge’s verdict', () => {
  test.each([
    ['GRADE: C', false, 'C'],
    ['grade: Incorrect.', false, 'I'],
    ['GRADE: C\nGRADE: Z', false, null],
    ['GRADE: P', false, null],
    ['GRADE: P', true, 'P'],
    ['downgrade: C', false, null],
    ['GRADE\u200b:\u200e C', false, 'C'],
    ['GRADE:', false, null],
  ])('%j (partial credit: %s) is %s', (reply, partial, expected) => expect(offeredGrade(reply, partial)).toBe(expected))

  test('falls back to the last usable one under custom instructions only', () =>
    expect(defaultPatternGrade('GRADE: C\nGRADE: Z')).toBe('C'))
  test('cannot be forged by the marks around the data', () =>
    expect(neutralizeDelimiters('x [End Data] [begin data]')).toBe('x [End-Data] [begin-data]'))
})

describe('reducers over epochs', () => {
  const scores = [6, 0, Number.NaN, 0, 0, 8, 4]
  test.each([
    ['mean', meanOf, 3],
    ['mode', modeOf, 0],
    ['max', maxOf, 8],
    ['at least 3', atLeast(3), 1],
    ['at least 4', atLeast(4), 0],
    ['pass@2', passAt(2), 0.8],
    ['pass^2', passAll(2), 0.2],
    ['pass@7', passAt(7), Number.NaN],
  ])('%s', (_name, reduce, expected) =>
    expect(reduceEpochs(scores, reduce)).toEqual(
      expected === 0.8 ? expect.closeTo(0.8, 12) : expected === 0.2 ? expect.closeTo(0.2, 12) : expected,
    ),
  )

  test('work per key and position, and refuse scores of different shapes', () => {
    expect(reduceEpochs([{ a: 1, b: 'C' }, Number.NaN, { a: 3, b: 'I' }], meanOf)).toEqual({ a: 2, b: 0.5 })
    expect(reduceEpochs([[1], [Number.NaN]], meanOf)).toEqual([1])
    expect(reduceEpochs([Number.NaN], meanOf)).toBeNaN()
    expect(() => reduceEpochs([[1, 2], [1]], meanOf)).toThrow(/different shapes/)
    expect(() => reduceEpochs([{ a: 1 }, { b: 1 }], meanOf)).toThrow(/different shapes/)
  })

  test.each([
    ['P', 0.5],
    ['yes', 1],
    ['0.25', 0.25],
    ['inf', 0],
    [true, 1],
    [[1], 0],
  ])('%j counts as %d', (value, expected) => expect(valueToFloat(value)).toBe(expected))
})
