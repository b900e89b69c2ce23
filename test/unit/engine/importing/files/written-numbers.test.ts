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

test('numbers of Inspect and OpenAI evals are as the file writes them, whole ones too', async () => {
  const inspect = await lookAt('inspect_jsonl', [
    { name: 'x.jsonl', content: '{"input": 1.10, "target": 1.0}\n{"input": "b", "target": [1.0, 1.10, true]}' },
  ])
  expect(inspect.tasks.map(({ fields, targets }) => [fields['input'], targets])).toEqual([
    ['1.10', ['1.0']],
    ['b', ['1.0', '1.10', 'True']],
  ])
  const evals = await lookAt('openai_evals_jsonl', [
    { name: 'a.yaml', content: registry },
    { name: 's.jsonl', content: '{"input": "a", "ideal": 1.0}\n{"input": "b", "ideal": [1e5, 0.10]}' },
  ])
  expect(evals.tasks.map(({ targets }) => targets)).toEqual([['1.0'], ['1e5', '0.10']])
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
