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

test('decimals of Parquet have all their places', async () => {
  const file = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'answer', type: 'INT64', converted_type: 'DECIMAL', scale: 2, precision: 10, repetition_type: 'REQUIRED' },
    ],
    columnData: [
      { name: 'question', data: ['a', 'b', 'c'] },
      { name: 'answer', data: [110n, 100n, 29n] },
    ],
  })
  const { tasks } = await lookAt('parquet', [{ name: 'x.parquet', content: new Uint8Array(file) }])
  expect(tasks.map(({ targets }) => targets)).toEqual([['1.10'], ['1.00'], ['0.29']])
})
