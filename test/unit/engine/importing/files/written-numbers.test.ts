import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { lookAt } from './look-at.ts'

const numbers = '[1.10, 1e5, 9007199254740993]'
const registry = 'a:\n  id: a.v0\na.v0:\n  class: evals.elsuite.basic.match:Match\n  args:\n    samples_jsonl: a/s.jsonl\n'

test('numbers in choices are as the file writes them, and match a target that is written alike', async () => {
  for (const choices of [numbers, `{"text": ${numbers}, "label": ["A", "B", "C"]}`, '{"A": 1.10, "B": 1e5, "C": 9007199254740993}']) {
    const content = `{"question": "a", "choices": ${choices}, "answer": "A"}\n{"question": "b", "choices": ${choices}, "answer": "C"}`
    const { tasks } = await lookAt('jsonl', [{ name: 'x.jsonl', content }])
    expect(tasks.map(task => [task.choices, task.targets])).toEqual([
      [['1.10', '1e5', '9007199254740993'], ['A']],
      [['1.10', '1e5', '9007199254740993'], ['C']],
    ])
  }
})

test('numbers of Inspect are as Python writes what it reads, and those of OpenAI evals as the file does', async () => {
  const inspect = await lookAt('inspect_jsonl', [
    { name: 'x.jsonl', content: '{"input": 1.10, "target": 1.0}\n{"input": "b", "target": [1.0, 1.10, 1e5, 1e-5, 7, -0, true]}' },
  ])
  expect(inspect.tasks.map(({ fields, targets }) => [fields['input'], targets])).toEqual([
    ['1.10', ['1.0']],
    ['b', ['1.0', '1.1', '100000.0', '1e-05', '7', '0', 'True']],
  ])
  const asked = await lookAt('inspect_jsonl', [
    { name: 'x.jsonl', content: '{"input": "a", "choices": [1.10, 1e5, 2.0, 2, false], "target": "C"}' },
  ])
  expect(asked.tasks[0]?.choices).toEqual(['1.1', '100000.0', '2.0', '2', 'False'])
  const evals = await lookAt('openai_evals_jsonl', [
    { name: 'a.yaml', content: registry },
    { name: 's.jsonl', content: '{"input": "a", "ideal": 1.0}\n{"input": "b", "ideal": [1e5, 0.10]}' },
  ])
  expect(evals.tasks.map(({ targets }) => targets)).toEqual([['1.0'], ['1e5', '0.10']])
})

test('decimals within a struct of Parquet change no column of the same name', async () => {
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const
  const file = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 3 },
      { name: 'question', ...text },
      { name: 'more', num_children: 1, repetition_type: 'REQUIRED' },
      { name: 'answer', type: 'INT64', converted_type: 'DECIMAL', scale: 2, precision: 10, repetition_type: 'REQUIRED' },
      { name: 'answer', type: 'DOUBLE', repetition_type: 'REQUIRED' },
    ],
    columnData: [
      { name: 'question', data: ['a'] },
      { name: 'more', data: [{ answer: 110n }] },
      { name: 'answer', data: [0.123456] },
    ],
  })
  const { tasks } = await lookAt('parquet', [{ name: 'x.parquet', content: new Uint8Array(file) }])
  expect(tasks.map(({ targets }) => targets)).toEqual([['0.123456']])
})

test('decimals in structs and lists of Parquet, beside other values, have all their digits', async () => {
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const
  const amount = { name: 'amount', type: 'INT64', converted_type: 'DECIMAL', precision: 18, repetition_type: 'REQUIRED' } as const
  const file = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'input', num_children: 3, repetition_type: 'REQUIRED' },
      { name: 'question', ...text },
      { ...amount, scale: 2 },
      { name: 'count', type: 'INT64', repetition_type: 'REQUIRED' },
      { name: 'output', num_children: 1, repetition_type: 'REQUIRED' },
      { name: 'answer', num_children: 1, converted_type: 'LIST', repetition_type: 'REQUIRED' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { ...amount, name: 'element', scale: 1 },
    ],
    columnData: [
      { name: 'input', data: [{ question: 'Why?', amount: 123456789012345678n, count: 5n }] },
      { name: 'output', data: [{ answer: [90071992547409931n, 10n] }] },
    ],
  })
  const sent = [{ name: 'x.parquet', content: new Uint8Array(file) }]
  expect((await lookAt('parquet', sent)).tasks.map(({ targets }) => targets)).toEqual([['9007199254740993.1', '1.0']])
  const amounts = await lookAt('parquet', sent, false, { target: 'amount' })
  expect(amounts.tasks.map(({ targets }) => targets)).toEqual([['1234567890123456.78']])
})

const decimal = { name: 'answer', converted_type: 'DECIMAL', repetition_type: 'REQUIRED' } as const
test.each([
  ['INT32', { ...decimal, type: 'INT32', scale: 2, precision: 9 }, [110n, 100n, -29n], ['1.10', '1.00', '-0.29']],
  [
    'INT64',
    { ...decimal, type: 'INT64', scale: 2, precision: 18 },
    [110n, 123456789012345678n, -5n],
    ['1.10', '1234567890123456.78', '-0.05'],
  ],
  [
    'bytes',
    { ...decimal, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, scale: 20, precision: 38 },
    [1n, 12345678901234567890123456789012345678n, -12345678901234567890123n],
    ['0.00000000000000000001', '123456789012345678.90123456789012345678', '-123.45678901234567890123'],
  ],
  [
    'whole numbers',
    { ...decimal, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, scale: 0, precision: 38 },
    [7n, 9007199254740993n, -1n],
    ['7', '9007199254740993', '-1'],
  ],
] as const)('decimals of Parquet have all their digits and places: %s', async (_, element, data, expected) => {
  const file = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      element,
    ],
    columnData: [
      { name: 'question', data: ['a', 'b', 'c'] },
      { name: 'answer', data: [...data] },
    ],
  })
  const { tasks, problems } = await lookAt('parquet', [{ name: 'x.parquet', content: new Uint8Array(file) }])
  expect(problems).toEqual([])
  expect(tasks.map(({ targets }) => targets)).toEqual(expected.map(text => [text]))
})

test('decimals in lists of Parquet have them, too, and those that are missing are none', async () => {
  const file = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 3 },
      { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'answer', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { ...decimal, name: 'element', type: 'INT64', scale: 2, precision: 18 },
      { ...decimal, name: 'price', type: 'INT64', scale: 2, precision: 18, repetition_type: 'OPTIONAL' },
    ],
    columnData: [
      { name: 'question', data: ['a'] },
      { name: 'answer', data: [[110n, 123456789012345678n]] },
      { name: 'price', data: [null] },
    ],
  })
  const { tasks, problems } = await lookAt('parquet', [{ name: 'x.parquet', content: new Uint8Array(file) }], false, { groups: ['price'] })
  expect([tasks.map(({ targets }) => targets), problems]).toEqual([[['1.10', '1234567890123456.78']], []])
})
