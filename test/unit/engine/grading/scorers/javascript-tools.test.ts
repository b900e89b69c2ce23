import { describe, expect, test } from 'vitest'
import { parseCsvRow } from '../../../../../src/engine/grading/scorers/promptfoo/csv-row.ts'
import { toolNames } from '../../../../../src/engine/grading/scorers/promptfoo/tool-names.ts'
import { bestAssignment } from '../../../../../src/engine/grading/scorers/text/assignment.ts'
import { editDistance } from '../../../../../src/engine/grading/scorers/text/edit-distance.ts'
import { grade, valueOf } from './grade.ts'

describe('autoevals', () => {
  test.each([
    ['autoevals/ExactMatch', {}, '{"a": 1}', '{ "a":1 }', 1],
    ['autoevals/ExactMatch', {}, '{"a": 1, "b": 2}', '{"b": 2, "a": 1}', 0],
    ['autoevals/Levenshtein', {}, 'abc', 'axc', 2 / 3],
    ['autoevals/NumericDiff', {}, '1', '2', 2 / 3],
    ['autoevals/NumericDiff', {}, '0', '0', 1],
    ['autoevals/NumericDiff', {}, '9'.repeat(400), '1', 0],
    ['autoevals/NumericDiff', {}, 'one', '1', 0],
    ['autoevals/JSONDiff', {}, '{"a": "x", "b": 2}', '{"a": "x", "c": 2}', 1 / 3],
    ['autoevals/JSONDiff', {}, '[1, 2, 3]', '[1, 2]', 2 / 3],
    ['autoevals/JSONDiff', {}, '{}', '{}', 1],
    ['autoevals/JSONDiff', {}, '{"a": null}', '{"a": 1}', 0],
    ['autoevals/ListContains', {}, '["b", "a"]', '["a", "b"]', 1],
    ['autoevals/ListContains', {}, '["a", "b"]', '["a"]', 0.5],
    ['autoevals/ListContains', { allowExtraEntities: true }, '["a", "b"]', '["a"]', 1],
    ['autoevals/ListContains', {}, 'a', '["a"]', 0],
    ['autoevals/ValidJSON', {}, '[1]', '', 1],
    ['autoevals/ValidJSON', {}, '1', '', 0],
    ['autoevals/ValidJSON', { schema: { type: 'number' } }, '1', '', 1],
  ])('%s with %j on %.40s against %s is %d', (scorer, options, output, target, expected) =>
    expect(valueOf(scorer, options, output, target)).toBeCloseTo(expected, 12),
  )
})

describe('promptfoo', () => {
  test.each([
    ['promptfoo/equals', { value: { a: [1] } }, '{"a":[1]}', 1],
    ['promptfoo/equals', { value: { a: 1 } }, 'no JSON', 0],
    ['promptfoo/not-equals', { value: 'x' }, 'y', 1],
    ['promptfoo/contains', { value: 0 }, '0 errors', 1],
    ['promptfoo/not-icontains', { value: 'ERR' }, 'an error', 0],
    ['promptfoo/contains-any', { value: 'a, "b,c"' }, 'x b,c', 1],
    ['promptfoo/icontains-any', { value: ['Q', 'X'] }, 'x', 1],
    ['promptfoo/contains-all', { value: ['a', 'b'] }, 'a', 0],
    ['promptfoo/icontains-all', { value: 'A,B' }, 'ba', 1],
    ['promptfoo/levenshtein', { value: 'test' }, 'tast', 1],
    ['promptfoo/levenshtein', { value: 'test', threshold: 0 }, 'tast', 0],
    ['promptfoo/word-count', { value: { min: 2 } }, 'a  b', 1],
    ['promptfoo/word-count', { value: 0 }, ' ', 1],
    ['promptfoo/not-word-count', { value: { max: 1 } }, 'a b', 1],
    ['promptfoo/tool-call-f1', { value: 'a, b' }, '[{"name": "a"}]', 2 / 3],
    ['promptfoo/bleu', { value: 'a b c d' }, 'a b c d', 1],
    // 4 + 3 + 2 + 1 n-grams against 5 + 4 + 3 + 2, of which 3 + 1 are shared.
    ['promptfoo/gleu', { value: 'The cat sat on mats' }, 'the cat. is on', 4 / 14],
    ['promptfoo/gleu', { value: ['x', 'A b.'] }, ' a B ', 1],
    ['promptfoo/gleu', { value: 'a' }, ' ', 0],
    ['promptfoo/contains-json', {}, 'Here: ```{"a": [1, {"b": 2}]}``` so.', 1],
    ['promptfoo/contains-json', {}, "Hello {name}, it's", 1],
    ['promptfoo/contains-json', {}, '[1, 2] and no object }', 0],
    ['promptfoo/contains-json', {}, 'cut off: {"a": {"b": 1', 1],
    ['promptfoo/contains-json', {}, "{'a': 1, // why\n b: [2]}", 1],
    ['promptfoo/contains-json', { value: { required: ['a'] } }, '{"b": 1} {"a": 1}', 1],
    ['promptfoo/not-contains-json', { value: { required: ['a'] } }, '{"b": 1}', 1],
    ['promptfoo/is-json', { value: 'required: [a]' }, '{"b": 1}', 0],
  ])('%s with %j on %j is %d', (scorer, options, output, expected) => expect(valueOf(scorer, options, output, [])).toBeCloseTo(expected, 6))

  test.each([
    [
      { threshold: 0, assertions: [{ type: 'equals', value: 'no' }] },
      { pass: 1, score: 0 },
    ],
    [
      {
        threshold: 0.5,
        assertions: [
          { type: 'equals', value: 'no' },
          { type: 'equals', value: 'yes' },
        ],
      },
      { pass: 1, score: 0.5 },
    ],
    [{ assertions: [{ type: 'equals', value: 'no', weight: 0 }] }, { pass: 1, score: 0 }],
    [{ assertions: [{ type: 'assert-set', weight: 0, assert: [{ type: 'equals', value: 'no' }] }] }, { pass: 0, score: 0 }],
    [{ assertions: [{ type: 'assert-set', assert: [{ type: 'equals', value: 'no', weight: 0 }] }] }, { pass: 1, score: 0 }],
    [
      {
        assertions: [
          {
            type: 'assert-set',
            threshold: 0.5,
            weight: 3,
            assert: [
              { type: 'equals', value: 'no' },
              { type: 'contains', value: 'ye' },
            ],
          },
          { type: 'is-json', value: { type: 'object' } },
        ],
        threshold: 0.3,
      },
      { pass: 1, score: 0.375 },
    ],
  ])('a test of %j comes to %j', (metadata, values) =>
    expect(grade('promptfoo/test', {}, 'yes', [], { metadata })).toMatchObject({ values }),
  )

  test('holds an answer to what it took, and says nothing where that is not known', () => {
    const metadata = {
      assertions: [
        { type: 'latency', threshold: 900 },
        { type: 'not-cost', threshold: 0.01 },
      ],
    }
    const took = (latencyMs: number, costUsd: number | null) =>
      grade('promptfoo/test', {}, 'x', [], { metadata, measured: { latencyMs, costUsd } })
    expect([took(900, 0.02).value, took(901, 0.02).value, took(1, 0.01).value]).toEqual([1, 0, 0])
    expect(took(1, null)).toMatchObject({ class: 'unscored', explanation: expect.stringContaining('The cost of this answer is not known') })
    expect(valueOf('promptfoo/test', {}, 'x', [], { metadata })).toBeNull()
  })

  test('tells pass and score apart, and takes the target without a value', () => {
    expect(grade('promptfoo/tool-call-f1', { value: ['a', 'b'], threshold: 0.5 }, '[{"name": "a"}]', [])).toMatchObject({
      class: 'partial',
      values: { pass: 1 },
    })
    expect(valueOf('promptfoo/contains', {}, 'abc', 'b')).toBe(1)
    expect(valueOf('promptfoo/contains', {}, 'abc', [])).toBeNull()
  })

  test.each([
    ['promptfoo/word-count', { value: 'x' }],
    ['promptfoo/levenshtein', { value: 1 }],
    ['promptfoo/contains-any', { value: '"a"b' }],
    ['promptfoo/contains', { value: '' }],
  ])('%s refuses %j', (scorer, options) => expect(() => valueOf(scorer, options, 'x', [])).toThrow(/The value of/))

  test('reads a row of comma-separated values', () => {
    expect(parseCsvRow(String.raw`a , "b\"c,d" ,"e""f",`)).toEqual(['a', 'b"c,d', 'e"f'])
    expect(() => parseCsvRow('"a')).toThrow(/not closed/)
  })

  test('finds tool calls of several providers, and none in prose or fences', () => {
    expect([...toolNames('{"tool_calls": [{"function": {"name": "a"}}]}')]).toEqual(['a'])
    expect([...toolNames('[{"type": "text", "text": "x"}, {"functionCall": {"name": "b"}}]')]).toEqual(['b'])
    expect([...toolNames('{"toolCall": {"functionCalls": [{"name": "c"}]}}')]).toEqual(['c'])
    expect([...toolNames('text\n[{"name":\n "d"}]\n```\n{"name": "e"}\n```\nsee {"name": "f"}\n{"name": "g"')]).toEqual(['d'])
  })
})

describe('optimal assignment', () => {
  test('beats taking the largest first', () => {
    const weights = [
      [0.9, 0.8],
      [0.8, 0.1],
    ]
    expect(bestAssignment(weights)).toEqual([1, 0])
    expect(bestAssignment([[1], [3], [2]])).toEqual([-1, 0, -1])
    expect(bestAssignment([[1, 5, 2]])).toEqual([1])
    expect(bestAssignment([])).toEqual([])
  })

  test('agrees with trying every order', () => {
    const weights = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => ((i * 7 + j * 13) * 31) % 101))
    const sum = (order: readonly number[]) => order.reduce((total, column, row) => total + (weights[row]?.[column] ?? 0), 0)
    expect(sum(bestAssignment(weights))).toBe(Math.max(...orders([0, 1, 2, 3, 4, 5]).map(sum)))
  })

  test('refuses what would take too long', () => {
    expect(() => bestAssignment(Array.from({ length: 501 }, () => [1]))).toThrow(RangeError)
    expect(() => editDistance('a'.repeat(100_000), 'b'.repeat(100_000))).toThrow(RangeError)
  })
})

function orders(items: readonly number[]): number[][] {
  return items.length === 0
    ? [[]]
    : items.flatMap((item, i) => orders([...items.slice(0, i), ...items.slice(i + 1)]).map(rest => [item, ...rest]))
}
