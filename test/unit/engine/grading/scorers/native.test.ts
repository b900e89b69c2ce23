import { describe, expect, test } from 'vitest'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'
import { grade, valueOf } from './grade.ts'

describe('assay/exact_match', () => {
  test.each([
    [{}, ' 42\n', '42', 1],
    [{ strip: false }, ' 42', '42', 0],
    [{ ignore_case: true }, 'PARIS', 'paris', 1],
    [{ ignore_punctuation: true }, 'Paris!', 'Paris', 1],
    [{ remove: [',', '$'] }, '$1,234', '1234', 1],
    [{ extraction: 'answer_line' }, 'so A: 5.\nA: 6', '5.', 1],
    [{ extraction: 'answer_line', remove: [','] }, 'A:1,000 eggs', '1000', 1],
    [{ extraction: 'hash_marks' }, '#### 1\n#### 2 \nend', '2', 1],
    [{ extraction: 'last_number', remove: [','] }, 'from -3 to 12,345.5 km', '12345.5', 1],
    [{ extraction: 'last_number' }, '1,23', '1.23', 0],
    [{ extraction: 'last_number' }, '1,23', '1,23', 1],
    [{ extraction: 'final_answer' }, 'So Rome is out. The answer is **Paris**.', 'Paris', 1],
    [{ normalize_unicode: false }, 'don’t', "don't", 0],
    [{ extraction: 'boxed' }, String.raw`\boxed{1} so \fbox{\frac{1}{2}}`, String.raw`\frac{1}{2}`, 1],
    [{ extraction: { pattern: '(\\d+) apples' } }, '3 apples and 4 apples', '3', 1],
    [{ extraction: { pattern: '(\\d+) apples', select: 'last', group: 0 } }, '3 apples and 4 apples', '4 apples', 1],
  ])('%j on %j against %j is %d', (options, output, target, expected) =>
    expect(valueOf('assay/exact_match', options, output, target)).toBe(expected),
  )

  test.each([
    ['Vienna.', 'Vienna', 1],
    ['**Vienna**', 'vienna', 1],
    ['The capital is Rome, no: the answer is “Vienna”.', 'Vienna', 1],
    ['The Beatles', 'beatles', 1],
    ['a', 'A', 1],
    ['minor', 'A minor', 0],
    ['The answer is Vienna or Graz.', 'Vienna', 0],
    ['3.5', '35', 0],
    ['-5', '5', 0],
    ['C++', 'C', 0],
    ['!', '?', 0],
    ['No one knows.\nTwo lines.', 'No one knows.\nTwo lines', 1],
    ['It is not Vienna.', 'Vienna', 0],
  ])('compares %j with %j as a reader does: %d', (output, target, expected) => {
    const options = { extraction: 'stated_or_whole', ignore_case: true, ignore_ends: true }
    expect(valueOf('assay/exact_match', options, output, target)).toBe(expected)
  })

  test('shows what was extracted and where', () => {
    const score = grade('assay/exact_match', { extraction: 'last_number' }, 'It is 42.', '41')
    expect(score).toMatchObject({ value: 0, class: 'wrong', answer: '42', answerSpan: { start: 6, end: 8 } })
    expect(score.explanation).toBe('The answer is "42"; the target is "41".')
  })

  test('counts an output without an answer as the options say', () => {
    const extraction = 'answer_line'
    expect(grade('assay/exact_match', { extraction }, 'none', '1')).toMatchObject({
      value: 0,
      class: 'wrong',
      answer: null,
      answerSpan: null,
    })
    expect(grade('assay/exact_match', { extraction, no_answer: 'unscored' }, 'none', '1')).toMatchObject({ value: null, class: 'unscored' })
  })

  test('accepts any of several targets and cannot score without one', () => {
    expect(valueOf('assay/exact_match', {}, 'b', ['a', 'b'])).toBe(1)
    expect(grade('assay/exact_match', {}, 'b', []).class).toBe('unscored')
  })
})

describe('assay/numeric', () => {
  test.each([
    [{}, 'about $1,234.50', '1234.5', 1],
    [{}, '3.14', '3.1', 0],
    [{ absolute: 0.05 }, '3.14', '3.1', 1],
    [{ relative: 0.01 }, 'x = 99.5', '100', 1],
    [{ relative: 0.001 }, 'x = 99.5', '100', 0],
    [{ extraction: 'whole' }, '12 km', '12', 1],
    [{ extraction: 'whole' }, '12 + 3', '12', 0],
    [{ units: 'same' }, '12 km', '12 m', 0],
    [{ absolute: 0.1 }, '1.1', '1', 1],
    [{}, 'no number', '1', 0],
    [{ no_answer: 'unscored' }, 'no number', '1', null],
    [{}, '1', 'one', null],
  ])('%j on %j against %j is %s', (options, output, target, expected) =>
    expect(valueOf('assay/numeric', options, output, target)).toBe(expected),
  )
})

describe('assay/choice', () => {
  const choices = ['London', 'Paris', 'Rome']
  test.each([
    ['The answer is (B).', 'B', 1],
    ['Answer: A\nNo: the answer is b', 'Paris', 1],
    [String.raw`\boxed{\text{C}}`, 'C', 1],
    ['I think hard.\n**B**', 'B', 1],
    ['paris.', 'B', 1],
    ['The answer is a matter of taste', 'A', 0],
    ['The answer is (Z)', 'A', 0],
    ['B or C', 'B', null],
    ['B', 'Madrid', null],
  ])('%j against %s is %s', (output, target, expected) => expect(valueOf('assay/choice', {}, output, target, { choices })).toBe(expected))

  test('compares sets of letters where several are right together', () => {
    const options = { multiple_correct: true }
    expect(valueOf('assay/choice', options, 'Answer: A and C', 'A, C', { choices })).toBe(1)
    expect(valueOf('assay/choice', options, 'Answer: A', 'A, C', { choices })).toBe(0)
  })

  test('marks an answer that does not decide as ambiguous', () =>
    expect(grade('assay/choice', {}, 'Answer: A or B', 'A', { choices })).toMatchObject({ class: 'unscored', label: 'ambiguous' }))

  test.each([
    ['ANSWER: B', 'A', 1],
    ['one', 'A', 1],
    ['A or B', 'B', 1],
    ['ANSWER: C', 'A', 0],
    ['A or C', 'A', null],
  ])('takes choices with the same text for one: %j against %s is %s', (output, target, expected) =>
    expect(valueOf('assay/choice', {}, output, target, { choices: ['one', 'one', 'two'] })).toBe(expected),
  )

  test('says which choice it read and where', () => {
    expect(grade('assay/choice', {}, 'The answer is (B).', 'C', { choices })).toMatchObject({
      class: 'wrong',
      answer: 'B',
      answerSpan: { start: 15, end: 16 },
    })
  })
})

describe('text scorers', () => {
  test.each([
    ['assay/includes', {}, 'The answer is 42', ['41', '42'], 1],
    ['assay/includes', { require: 'all' }, 'The answer is 42', ['41', '42'], 0],
    ['assay/includes', { ignore_case: true }, 'STRASSE', ['straße'], 1],
    ['assay/pattern', { pattern: '^\\d{4}$', multiline: true }, 'in\n1999\n', [], 1],
    ['assay/pattern', { pattern: 'sorry', ignore_case: true, expect: 'no_match' }, 'Sorry, no', [], 0],
    ['assay/set_match', {}, 'b, A ,c', ['a,b,c'], 1],
    ['assay/set_match', { measure: 'f1' }, 'a,b', ['a,c'], 0.5],
    ['assay/set_match', { measure: 'jaccard' }, 'a,b', ['a,c'], 1 / 3],
    ['assay/set_match', { measure: 'recall', separator: ';' }, 'a;b;d', ['a;c'], 0.5],
    ['assay/f1', {}, 'The cat sat', ['a cat'], 2 / 3],
    ['assay/rouge_l', {}, 'the cat sat on the mat', ['the cat on a mat'], 8 / 11],
    ['assay/rouge_l', {}, '東京', ['東京'], 1],
    ['assay/edit_distance', {}, 'kitten', ['sitting'], 1 - 3 / 7],
    ['assay/edit_distance', { max_edits: 3 }, 'kitten', ['sitting'], 1],
    ['assay/edit_distance', { max_edits: 2 }, 'kitten', ['sitting'], 0],
    ['assay/bleu', {}, 'The cat sat on the mat.', ['The cat sat on the mat.'], 1],
    ['assay/bleu', {}, 'dog', ['The cat sat'], 0],
    ['assay/chrf', {}, 'abc', ['abc'], 1],
    ['assay/chrf', {}, 'xyz', ['abc'], 0],
  ])('%s with %j on %j against %j is %d', (scorer, options, output, targets, expected) =>
    expect(valueOf(scorer, options, output, targets)).toBeCloseTo(expected, 12),
  )

  test('computes BLEU with smoothing, effective order and the brevity penalty', () => {
    // By hand: precisions 3/3, 2/2, 1/1, no 4-gram; penalty exp(1 - 6/3).
    expect(valueOf('assay/bleu', {}, 'the cat sat', 'the cat sat on the mat')).toBeCloseTo(Math.exp(-1), 12)
    // 3/4, 2/3, 1/2, then 0 of 1 smoothed to 1/2.
    expect(valueOf('assay/bleu', {}, 'the cat sat down', 'the cat sat up')).toBeCloseTo(
      (3 / 4) ** 0.25 * (2 / 3) ** 0.25 * 0.5 ** 0.25 * 0.5 ** 0.25,
      12,
    )
  })

  test('computes chrF with recall counted twice', () => {
    // Orders 1 and 2 only: precision (2/2 + 1/1)/2, recall (2/3 + 1/2)/2.
    const recall = (2 / 3 + 1 / 2) / 2
    expect(valueOf('assay/chrf', {}, 'ab', 'abc')).toBeCloseTo((5 * recall) / (4 + recall), 12)
  })
})

describe('JSON scorers', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^(a+)+$' } } }

  test.each([
    ['assay/json_schema', { schema }, '```json\n{"a": "aaa"}\n```', 1],
    ['assay/json_schema', { schema }, '{"a": 1}', 0],
    ['assay/json_schema', { schema }, 'not JSON', 0],
    ['assay/json_schema', { schema: { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' } }, '{"a": "a"}', 1],
    ['assay/json_path', { path: '$.a[1].b' }, '{"a": [0, {"b": "x"}]}', 1],
    ['assay/json_path', { path: "$..['b']", expect: 'exists' }, '[{"c": 1}]', 0],
    ['assay/json_path', { path: '$..b' }, '{"a": {"b": 1}, "b": "x"}', 1],
    ['assay/json_path', { path: '$[-1]' }, '["y", "x"]', 1],
    ['assay/json_path', { path: '$[0:1]' }, '["y", "x"]', 0],
    ['assay/json_path', { path: '$.*' }, '{"q": "x"}', 1],
  ])('%s with %j on %j is %d', (scorer, options, output, expected) => expect(valueOf(scorer, options, output, 'x')).toBe(expected))

  test('compares what a path selects with a target that is JSON, keys in any order', () => {
    expect(valueOf('assay/json_path', { path: '$.o' }, '{"o": {"a": 1, "b": [2]}}', '{"b": [2], "a": 1}')).toBe(1)
  })

  test('runs the patterns of a schema in linear time', async () => {
    const output = JSON.stringify({ a: `${'a'.repeat(50_000)}!` })
    const spent = await cpuMsOf(() => expect(valueOf('assay/json_schema', { schema }, output, '')).toBe(0))
    expect(spent).toBeLessThan(5_000 * slowness())
  })

  test('refuses a schema or a path that makes no sense', () => {
    expect(() => valueOf('assay/json_schema', { schema: { type: 'nonsense' } }, '1', '')).toThrow(/JSON schema cannot be used/)
    expect(() => valueOf('assay/json_schema', { schema: { $ref: 'https://example.org/x.json' } }, '1', '')).toThrow(
      /JSON schema cannot be used/,
    )
    expect(() => valueOf('assay/json_path', { path: '$[?(@.a)]' }, '1', '')).toThrow(/filters are not available/)
    expect(() => valueOf('assay/json_path', { path: 'a' }, '1', '')).toThrow(/must begin with \$/)
  })
})

describe('answers that are numbers or texts', () => {
  test.each([
    ['It is 18.0', '18', {}, 1],
    ['18.01', '18', { relative: 0.001 }, 1],
    ['18.1', '18', { relative: 0.001 }, 0],
    ['1915', '1914', {}, 0],
    ['Swimming', 'swimming', {}, 1],
    ['15 minutes', 'an hour', {}, 0],
    ['0.25', '25', { percent: 'either' }, 1],
    ['0.25', '25', {}, 0],
  ])('%j against %j with %j is %d', (output, target, options, expected) =>
    expect(valueOf('assay/number_or_text', options, output, target)).toBe(expected),
  )

  test('gives partial credit for a subset, and none beside a wrong item', () => {
    const credit = (output: string, options: object = {}) =>
      valueOf('assay/set_match', { measure: 'subset', ...options }, output, 'A, B, C, D')
    expect([credit('D, c, b, a'), credit('A, C'), credit('A, E'), credit('')]).toEqual([1, 0.5, 0, 0])
    expect(credit('A, B', { credit: 0.25 })).toBe(0.5)
  })
})
