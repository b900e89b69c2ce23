import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseChoice } from '../../../../../src/engine/grading/scorers/multimodal/mmmu-answer.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'

/** What the originals say of 300 made-up answers each: VQA’s vqaEval.py, MMMU’s eval_utils.py, lmms-eval’s metrics. */
const lines = readFileSync(new URL('multimodal-vectors.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const of = <Row extends z.ZodType>(scorer: string, row: Row): z.infer<Row>[] =>
  lines.flatMap(line => {
    const [name, ...values]: unknown[] = JSON.parse(line)
    return name === scorer ? [row.parse(values)] : []
  })
const texts = z.array(z.string())
const vectors = {
  vqa: of('vqa', z.tuple([texts, z.string(), z.number()])),
  mmmu_choice: of('mmmu_choice', z.tuple([texts, z.string(), z.string().nullable()])),
  mmmu_open: of('mmmu_open', z.tuple([texts, z.string(), z.boolean()])),
  anls: of('anls', z.tuple([texts, z.string(), z.number()])),
  relaxed: of('relaxed', z.tuple([z.string(), z.string(), z.boolean()])),
}

test('has 300 vectors of each original', () => {
  expect(Object.values(vectors).map(({ length }) => length)).toEqual([300, 300, 300, 300, 300])
})

const value = (scorer: string, output: string, targets: readonly string[], options?: unknown) =>
  gradeOne({ scorer, options }, { output, targets }).value

describe('VQA accuracy', () => {
  test('equals the original on every vector', () => {
    const differing = vectors.vqa.filter(
      ([targets, output, wanted]) => Math.abs((value('vqa/accuracy', output, targets) ?? -1) - wanted) > 1e-9,
    )
    expect(differing).toEqual([])
  })

  test.each([
    [[...Array<string>(3).fill('2'), ...Array<string>(7).fill('3')], 'two', 0.9],
    [[...Array<string>(2).fill('red'), ...Array<string>(8).fill('x')], 'The red.', 0.6],
    [Array<string>(10).fill('Red'), 'red', 0],
  ])('of %j for %j is %d', (targets, output, wanted) => {
    expect(value('vqa/accuracy', output, targets)).toBeCloseTo(wanted, 12)
  })

  test('is no verdict without annotators', () => {
    expect(gradeOne({ scorer: 'vqa/accuracy' }, { output: 'x', targets: ['x'] }).class).toBe('unscored')
  })
})

describe('ANLS', () => {
  test('equals lmms-eval on every vector', () => {
    expect(
      vectors.anls.filter(([targets, output, wanted]) => Math.abs((value('lmms_eval/anls', output, targets) ?? -1) - wanted) > 1e-9),
    ).toEqual([])
  })

  test.each([
    [['1998'], '1999', 0.75],
    [['abcd'], 'abxy', 0.5],
    [['New York', 'NYC'], 'NYC, USA', 0],
  ])('of %j for %j is %d', (targets, output, wanted) => {
    expect(value('lmms_eval/anls', output, targets)).toBe(wanted)
  })
})

describe('relaxed accuracy', () => {
  test('equals lmms-eval on every vector', () => {
    expect(
      vectors.relaxed.filter(([target, output, wanted]) => value('lmms_eval/relaxed_accuracy', output, [target]) !== Number(wanted)),
    ).toEqual([])
  })

  test.each([
    ['20', '21', 1],
    ['0.0', '0', 0],
    ['10', '10%', 0],
  ])('of %j for %j is %d', (target, output, wanted) => {
    expect(value('lmms_eval/relaxed_accuracy', output, [target])).toBe(wanted)
  })
})

describe('MMMU', () => {
  test('finds the choice that the original finds on every vector, and none where that one draws', () => {
    const choice = (texts: readonly string[], output: string) =>
      parseChoice(
        output,
        texts.map((text, i) => ({ letter: 'ABCDE'.charAt(i), text })),
      )
    expect(vectors.mmmu_choice.filter(([texts, output, wanted]) => choice(texts, output) !== wanted)).toEqual([])
  })

  test('judges open answers as the original does on every vector', () => {
    expect(vectors.mmmu_open.filter(([targets, output, wanted]) => value('mmmu/answer', output, targets) !== Number(wanted))).toEqual([])
  })

  test.each([
    ['24', 'The answer is 24.', 1],
    ['0.5', '50%', 0],
    // The last "is " is that of hepatitis.
    ['hepatitis', 'It is hepatitis B', 0],
  ])('for %j, %j scores %d', (target, output, wanted) => {
    expect(value('mmmu/answer', output, [target])).toBe(wanted)
  })

  test.each([
    ['The answer is (B).', 'B'],
    ['A or C', 'C'],
  ])('reads %j as %s', (output, target) => {
    expect(gradeOne({ scorer: 'mmmu/answer' }, { output, targets: [target], choices: ['w', 'x', 'y', 'z'] }).value).toBe(1)
  })
})

describe('MathVista', () => {
  test.each([
    // Worked cases of its evaluation.
    [{ answer_type: 'text' }, ['2', '3', '4'], '(B)', '3', 1],
    [{ answer_type: 'text' }, ['2', '3', '4'], '3', '3', 1],
    [{ answer_type: 'text' }, ['increase', 'decrease'], 'The answer is decreased', 'decrease', 1],
    [{ answer_type: 'text' }, ['increase', 'decrease'], 'A or B', 'decrease', null],
    [{ answer_type: 'integer' }, [], '14.9', '14', 1],
    [{ answer_type: 'integer' }, [], '-14.9', '-14', 1],
    [{ answer_type: 'float', precision: '2' }, [], '1.2345', '1.23', 1],
    [{ answer_type: 'float', precision: '1' }, [], '5', '5.0', 1],
    [{ answer_type: 'float', precision: '1' }, [], '5.06', '5.0', 0],
    // The original has a model extract these.
    [{ answer_type: 'integer' }, [], 'It is 14 cm.', '14', 1],
    [{ answer_type: 'integer' }, [], 'no idea', '14', 0],
    [{ answer_type: 'list' }, [], '[1, 2, 3]', '[1, 2, 3]', 1],
    [{}, [], '14', '14', null],
  ])('%j with the choices %j: %j for %j scores %d', (metadata, choices, output, target, wanted) => {
    const { value: found } = gradeOne({ scorer: 'mathvista/answer' }, { output, targets: [target], choices, metadata })
    expect(found ?? null).toBe(wanted ?? (choices.length > 0 ? 0 : null))
  })
})

describe('a point in a box', () => {
  const box = '[0.1, 0.1, 0.3, 0.3]'
  test.each([
    ['(0.30,0.10)', 1],
    ['(0.31,0.2)', 0],
    ['(250,100)', 0],
    ['[0.1, 0.1, 0.2, 0.3]', 1],
    ['click there', 0],
    ['0.2', 0],
  ])('%j scores %d', (output, wanted) => {
    expect(value('screenspot/point_in_box', output, [box])).toBe(wanted)
  })

  test('is read in thousandths where the options say so', () => {
    expect(value('screenspot/point_in_box', '(250, 100)', [box], { divide_by: 1000 })).toBe(1)
  })
})

test.each([
  ['pope/yes_no', 'No, there is not.', 'no', 1],
  ['pope/yes_no', 'NO', 'yes', 1],
  ['pope/yes_no', 'Yes.', 'yes', 1],
  ['ocrbench/contains', 'The word is centre.', 'CENTRE', 1],
  ['ocrbench/contains', '2100', '10', 1],
])('%s of %j for %j is %d', (scorer, output, target, wanted) => {
  expect(value(scorer, output, [target])).toBe(wanted)
})

test('OCRBench’s formulas are compared without spaces', () => {
  expect(value('ocrbench/contains', 'x^{2}', ['x ^ {2}'], { formula: true })).toBe(1)
  expect(value('ocrbench/contains', 'x^{2}', ['x ^ {2}'])).toBe(0)
})
