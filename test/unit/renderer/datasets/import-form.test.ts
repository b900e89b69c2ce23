import { expect, test } from 'vitest'
import { formatOf, guessColumns, hasPairs, mappingOf } from '../../../../src/renderer/datasets/import-form.ts'

test.each([
  [['question', 'answer'], { expected: 'answer', output: null }],
  [['question', 'answer', 'response'], { expected: 'answer', output: 'response' }],
  [['question', 'answer', 'target'], { expected: 'target', output: 'answer' }],
  [['question', 'model_answer', 'reference'], { expected: 'reference', output: 'model_answer' }],
  [['text', 'label'], { expected: 'label', output: null, labels: [] }],
  [['text', 'output', 'label'], { expected: null, output: 'output', labels: ['label'] }],
  [
    ['text', 'output', 'reviewer_1', 'reviewer_comment', 'grader_b', 'grader_model', 'labels'],
    { labels: ['reviewer_1', 'grader_b', 'labels'] },
  ],
])('guesses the reference among %j', (columns, guess) => {
  expect(guessColumns(columns, 'answer')).toMatchObject(guess)
})

test('keeps a label column as people’s labels where examples are classified', () => {
  expect(guessColumns(['text', 'label'], 'classify')).toMatchObject({ expected: null, labels: ['label'] })
})

test('recognizes a file that compares two outputs', () => {
  expect(hasPairs(['idx', 'instruction', 'response1', 'response2', 'annotator1'])).toBe(true)
  expect(hasPairs(['prompt', 'output', 'label'])).toBe(false)
  expect(hasPairs(['prompt', 'response1'])).toBe(false)
})

test('takes a version that was exported as it was', () => {
  const columns = [
    'example_id',
    'revision',
    'digest',
    'input',
    'output',
    'expected',
    'metadata',
    'label',
    'label_state',
    'label_by',
    'origin',
  ]
  expect(formatOf('pictures-v1.zip')).toBe('jsonl')
  expect(mappingOf(guessColumns(columns, 'answer'), 'answer')).toEqual({
    input: 'input',
    output: 'output',
    expected: 'expected',
    id: 'example_id',
    metadata: 'metadata',
    labels: { label: 'label' },
  })
})

test('takes both outputs of an exported pairwise version from one field, and of its CSV from two', () => {
  const columns = ['example_id', 'revision', 'input', 'output', 'expected', 'label', 'label_state', 'label_by', 'metadata']
  const expected = { input: 'input', expected: 'expected', id: 'example_id', metadata: 'metadata', labels: { label: 'label' } }
  expect(mappingOf(guessColumns(columns, 'pairwise'), 'pairwise')).toEqual({ ...expected, output: 'output' })
  expect(mappingOf(guessColumns([...columns, 'output_a', 'output_b'], 'pairwise'), 'pairwise')).toEqual({
    ...expected,
    output_a: 'output_a',
    output_b: 'output_b',
  })
  expect(mappingOf(guessColumns(['input', 'output'], 'pairwise'), 'pairwise')).toBeNull()
})
