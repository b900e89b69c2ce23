import { makeWorkbook } from '../../../support/make-workbook.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShownScore, WantedAnswerColumns } from '../../../../src/engine/importing/answers/answer-columns.ts'
import { openAnswers } from '../../../../src/engine/importing/answers/open-answers.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'answer-tables-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const taskOf = (id: string): Task => ({
  id,
  split: 'test',
  fields: { input: `${id}?` },
  targets: [id],
  choices: null,
  metadata: {},
  capabilities: [],
  dependsOn: [],
})

async function open(
  name: string,
  content: string | Uint8Array,
  mapping: WantedAnswerColumns = {},
  shownScores: readonly ShownScore[] = [],
  ids: readonly string[] = ['1', '2', '10'],
) {
  const path = join(folder, name)
  writeFileSync(path, content)
  const format = name.endsWith('.csv') ? 'csv' : name.endsWith('.json') ? 'json' : 'jsonl'
  const order = { files: [{ name, path }], format, mapping, model: 'm', title: undefined, profileKey: 'p', shownScores } as const
  const { logs, facts } = await openAnswers(order, ids.map(taskOf))
  return { outputs: (logs[0]?.answers ?? []).map(({ taskIndex, output }) => [taskIndex, output]), logs, facts }
}

test('a batch of Gemini answers the tasks of its keys, with thoughts apart', async () => {
  const parts = [{ text: 'Hm.', thought: true }, { text: '4' }]
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 40 }
  const response = { candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP' }], modelVersion: 'gemini-x', usageMetadata }
  const rows = [
    { key: '2', response },
    { key: '1', error: { message: 'quota' } },
    { key: '10', response: { promptFeedback: { blockReason: 'SAFETY' } } },
  ]
  const { logs } = await open('batch.jsonl', rows.map(row => JSON.stringify(row)).join('\n'))
  expect(logs[0]?.answers.map(({ taskIndex, output, error, outputTokens }) => [taskIndex, output, error, outputTokens])).toEqual([
    [1, '4', null, 42],
    [0, null, 'quota', null],
    [2, null, 'The prompt was blocked: SAFETY', null],
  ])
})

test('outputs name a line above their columns, which is not read', async () => {
  const { outputs, facts } = await open('remark.csv', '"Do not share",,\nid,output,note\n1,a,x\n2,b,\n')
  expect(outputs).toEqual([
    [0, 'a'],
    [1, 'b'],
  ])
  expect(facts.warnings).toContain('Left out: "remark.csv", line 1: It is above the names of the columns: "Do not share".')
})

test('a table with a key and errors keeps its columns', async () => {
  const rows = [
    { id: '2', key: 'x', output: 'a', error: 'timeout' },
    { id: '1', key: 'x', output: 'b', error: null },
  ]
  const { outputs } = await open('x.jsonl', rows.map(row => JSON.stringify(row)).join('\n'))
  expect(outputs).toEqual([
    [0, 'b'],
    [1, 'a'],
  ])
})

test('texts by the id of their task are outputs', async () => {
  const { outputs } = await open('by-id.json', '{"1":"a","10":"b"}')
  expect(outputs).toEqual([
    [0, 'a'],
    [2, 'b'],
  ])
})

describe('a list of objects', () => {
  const listed = (...rows: readonly object[]) =>
    open(
      'calls.jsonl',
      rows.map((row, i) => JSON.stringify({ id: ['1', '2', '10'][i], ...row })).join('\n'),
      rows.some(row => 'score' in row) ? { score: 'score' } : {},
    )
  const calls = [{ f: '{"a": 1}' }, { g: '{}' }]

  test('is one output, as calls of tools are, also where there are none', async () => {
    const { outputs, facts } = await listed({ output: calls, score: 1 }, { output: [], score: 0 })
    expect(outputs).toEqual([
      [0, JSON.stringify(calls)],
      [1, '[]'],
    ])
    expect(facts.warnings).toContain('2 of 2 outputs are lists of objects; each list was taken as one output.')
  })

  test('has an output for each of its scores', async () => {
    const { logs } = await listed({ output: [{ a: 1 }, { a: 2 }], score: [1, 0] }, { output: [{ a: 3 }], score: [0] })
    expect(logs[0]?.answers.map(({ taskIndex, epoch, output, scores }) => [taskIndex, epoch, output, scores['score']])).toEqual([
      [0, 1, '{"a":1}', 1],
      [0, 2, '{"a":2}', 0],
      [1, 1, '{"a":3}', 0],
    ])
  })

  test.each([
    [[{ name: 'f' }, { name: 'g' }]],
    [
      [
        { name: 'f', arguments: { a: 1 } },
        { name: 'f', arguments: {} },
      ],
    ],
    [[{ type: 'function', function: { name: 'f', arguments: '{}' } }, { function: 'g' }]],
  ])('of calls of tools is one output also where each call has a score: %j', async output => {
    const { logs, facts } = await listed({ output, score: [1, 1] }, { output: 'none', score: 0 })
    expect(logs[0]?.answers.map(answer => [answer.taskIndex, answer.output, answer.scores])).toEqual([
      [0, JSON.stringify(output), {}],
      [1, 'none', { score: 0 }],
    ])
    expect(facts.warnings).toContain(
      'One output is a list of calls of tools with a score for each call; each list was taken as one output, without these scores.',
    )
  })

  test('of what a model was to name has an output for each of its scores', async () => {
    const output = [
      { name: 'Ada', age: 36 },
      { name: 'Bob', age: 3 },
    ]
    const { logs } = await listed({ output, score: [1, 0] })
    expect(logs[0]?.answers.map(answer => [answer.epoch, answer.scores['score']])).toEqual([
      [1, 1],
      [2, 0],
    ])
  })

  test('has an output for each epoch where the other rows have texts for theirs', async () => {
    const { outputs } = await listed({ output: ['x', 'y'] }, { output: [] }, { output: [{ a: 1 }, null] })
    expect(outputs).toEqual([
      [0, 'x'],
      [0, 'y'],
      [2, '{"a":1}'],
      [2, null],
    ])
  })

  test('is the text that a model said in parts or messages', async () => {
    const { outputs } = await listed(
      {
        output: [
          { type: 'text', text: 'a' },
          { type: 'output_text', text: 'b' },
        ],
      },
      {
        output: [
          { role: 'user', content: 'Why?' },
          { role: 'assistant', content: 'c' },
        ],
      },
      { output: [{ role: 'assistant', content: [{ type: 'text', text: 'd' }] }] },
    )
    expect(outputs).toEqual([
      [0, 'ab'],
      [1, 'c'],
      [2, 'd'],
    ])
  })

  test('stays as it is where a message calls tools', async () => {
    const output = [{ role: 'assistant', content: 'x', tool_calls: [{ id: '1' }] }]
    expect((await listed({ output })).outputs).toEqual([[0, JSON.stringify(output)]])
  })
})

test('outputs in a list of JSON name the fields beside it', async () => {
  const { facts } = await open('x.json', '{"model":"m","rows":[{"id":"2","output":"a"}],"prompt":"p"}')
  expect(facts.warnings).toContain('Only the list "rows" is imported. Other fields of the file are not: "model", "prompt".')
})

describe('ids of a table of outputs', () => {
  const floats = 'id,output\n1.0,a\n02,b\n10,c\n'

  test('match only as they are written, and the cure is named', async () => {
    const { outputs, facts } = await open('x.csv', floats)
    expect(outputs).toEqual([[2, 'c']])
    expect(facts.warnings.join('\n')).toMatch(/2 ids are those of tasks only as numbers, such as "1\.0"\. Set "numeric_ids"/)
    const none = await open('x.csv', 'id,output\n1.0,a\n')
    expect(none.facts.problems[0]?.message).toMatch(/None of the 1 rows.*"numeric_ids" to true/)
  })

  test('match as numbers where that was said', async () => {
    expect((await open('x.csv', floats, { numeric_ids: true })).outputs).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ])
    const other = await open('x.csv', 'id,output\n1.5,a\n1e0,b\n-1,c\n', { numeric_ids: true })
    expect(other.outputs).toEqual([])
  })
})

describe('a column "index"', () => {
  test('names tasks by their ids where each of its values is one', async () => {
    const { outputs, facts } = await open('x.csv', 'index,output\n10,c\n2,b\n')
    expect(outputs).toEqual([
      [1, 'b'],
      [2, 'c'],
    ])
    expect(facts.warnings[0]).toMatch(/^"index" was read as task ids/)
  })

  test.each([0, 1])('is asked about where ids count the tasks from %s, so that it may count from 0 or 1', async first => {
    const ids = Array.from({ length: 10 }, (_, i) => String(i + first))
    const { outputs, facts } = await open('x.csv', 'index,output\n2,b\n3,c\n', {}, [], ids)
    expect([outputs, facts.problems[0]?.message]).toEqual([[], expect.stringMatching(/not clear whether places count from 0 or from 1/)])
    const told = await open('x.csv', `index,output\n${first * 10},x\n3,c\n`, {}, [], ids)
    expect([told.outputs.at(first === 0 ? 1 : 0), told.facts.warnings]).toEqual([[3 - first, 'c'], []])
  })

  test('is the place where some value is no id, or the user says so', async () => {
    const places = 'index,output\n0,a\n1,b\n2,c\n'
    expect((await open('x.csv', places)).outputs).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ])
    expect((await open('x.csv', 'index,output\n1,b\n2,c\n', { index: 'index', index_base: 0 })).outputs).toEqual([
      [1, 'b'],
      [2, 'c'],
    ])
  })
})

test('a workbook is read like the CSV that is saved of it', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = [
    [cell('A1', 'index'), cell('B1', 'prediction')],
    ['<c r="A2"><v>10</v></c>', cell('B2', 'c, d')],
  ]
  expect((await open('m_MMBench.csv', makeWorkbook({ Sheet1: rows }))).outputs).toEqual([[2, 'c, d']])
  expect((await open('x.csv', makeWorkbook({ A: rows, B: rows }))).facts.problems[0]?.message).toBe(
    'Save the sheet with the rows as CSV: The workbook has several: "A", "B".',
  )
})

test('an output that is a number is the text of the file, and its digits where it is whole', async () => {
  const { outputs } = await open('numbers.jsonl', '{"id":"1","output":1.10}\n{"id":"2","output":3.0}\n{"id":"10","output":7}')
  expect(outputs).toEqual([
    [0, '1.10'],
    [1, '3'],
    [2, '7'],
  ])
})

describe('columns of a table of outputs', () => {
  test('that are not kept are named', async () => {
    const { facts } = await open('x.jsonl', '{"id":"1","output":"a","score":0.8,"note":"x"}')
    expect(facts.warnings.join('\n')).toContain('Columns that were not imported: "score", "note".')
    const mapped = await open('x.jsonl', '{"id":"1","output":"a","score":0.8}', { score: 'score' })
    expect(mapped.facts.warnings).toEqual([])
    expect(mapped.logs[0]?.answers[0]?.scores).toEqual({ score: 0.8 })
  })

  test('of a recorded score that the profile shows are asked for', async () => {
    const shown = [{ id: 'recorded_score', column: 'score' }]
    const { facts } = await open('x.jsonl', '{"id":"1","output":"a","loose":1}', {}, shown)
    expect(facts.warnings.join('\n')).toMatch(/The profile shows recorded scores \("score"\).*answers stay unscored/)
    const named = await open('x.jsonl', '{"id":"1","output":"a","loose":1}', {}, [{ id: 'recorded_score', column: 'loose' }])
    expect(named.facts.warnings).toEqual([])
  })

  test('may be a reply of chat completions', async () => {
    const reply = { task_id: '2', model: 'gpt-x', choices: [{ message: { role: 'assistant', content: 'b' } }], usage: { prompt_tokens: 3 } }
    const { logs } = await open('x.jsonl', JSON.stringify(reply))
    expect(logs[0]?.answers[0]).toMatchObject({ taskIndex: 1, output: 'b', model: 'gpt-x', inputTokens: 3 })
    const choices = { id: '2', choices: [{ text: 'x', label: 'A' }], output: 'A' }
    expect((await open('x.jsonl', JSON.stringify(choices))).outputs).toEqual([[1, 'A']])
  })
})
