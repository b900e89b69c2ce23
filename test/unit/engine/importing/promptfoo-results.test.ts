import { describe, expect, test } from 'vitest'
import { readPromptfooResults } from '../../../../src/engine/importing/answers/read-promptfoo-results.ts'

const assertion = { type: 'equals', value: 'Paris' }
const result = (testIdx: number, output: unknown, more: object = {}) => ({
  promptIdx: 0,
  testIdx,
  provider: { id: 'echo' },
  prompt: { raw: 'capital?', label: '{{q}}' },
  testCase: { vars: { q: 'capital?' }, assert: [assertion] },
  response: { output },
  success: output === 'Paris',
  namedScores: {},
  gradingResult: { componentResults: [{ pass: output === 'Paris', score: output === 'Paris' ? 1 : 0, assertion }] },
  ...more,
})
const read = (value: unknown, name = 'results.json') =>
  readPromptfooResults({ name, bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) })
const exported = (results: readonly object[], more: object = {}) => ({ evalId: 'e', results: { version: 3, results }, ...more })

describe('results of promptfoo', () => {
  const two = [result(0, 'Paris'), result(1, 'Rome')]
  test.each([
    ['an export', exported(two)],
    ['the summary of its Node package', { version: 3, results: two, stats: {} }],
    ['the results alone', { results: two }],
    ['a line for each', two.map(one => JSON.stringify(one)).join('\n')],
  ])('are read from %s', (_, value) => {
    const { tasks, answers } = read(value)
    expect(tasks).toHaveLength(2)
    expect(answers.map(({ output, scores }) => [output, scores?.['success']])).toEqual([
      ['Paris', 1],
      ['Rome', 0],
    ])
  })

  test('are read from the table of version 2', () => {
    const output = { pass: true, score: 1, text: 'Paris', prompt: 'capital?', namedScores: {} }
    const table = {
      head: { prompts: [{ raw: '{{q}}', label: '{{q}}', provider: 'echo' }], vars: ['q'] },
      body: [{ outputs: [output], vars: ['capital?'], test: { assert: [assertion] } }],
    }
    const { tasks, answers } = read({ evalId: 'e', results: { version: 2, results: [], table } })
    expect(tasks[0]).toMatchObject({ fields: { prompt_1: 'capital?' }, metadata: { assertions: [assertion] } })
    expect(answers).toMatchObject([{ model: 'echo', output: 'Paris', scores: { success: 1 } }])
  })

  test.each([
    ['a provider as text', { provider: 'openai:gpt-4o' }, { model: 'openai:gpt-4o' }],
    ['a prompt as text', { prompt: 'capital?' }, { output: 'Paris' }],
    ['a named score of nothing', { namedScores: { acc: null } }, { output: 'Paris' }],
    ['an error as an object', { error: { message: 'no quota' }, failureReason: 2 }, { output: null, error: 'no quota' }],
  ])('are read with %s', (_, more, expected) => {
    expect(read(exported([result(0, 'Paris', more)])).answers).toMatchObject([expected])
  })

  test('of repeated tests are epochs of one task', () => {
    const results = ['Rome', 'Paris', 'Paris'].map((output, i) => result(i, output))
    const { tasks, answers } = read(exported(results, { config: { evaluateOptions: { repeat: 3 } } }))
    expect(tasks).toHaveLength(1)
    expect(answers.map(({ taskIndex, epoch, output }) => [taskIndex, epoch, output])).toEqual([
      [0, 1, 'Rome'],
      [0, 2, 'Paris'],
      [0, 3, 'Paris'],
    ])
    expect(read(exported(results)).tasks).toHaveLength(3)
  })

  test('that are none say so', () => {
    expect(() => read({ evalId: 'e', results: { results: [] } })).toThrow('has no results')
    expect(() => read({ evalId: 'e', results: { results: [{ testIdx: 'x' }] } })).toThrow(
      /is not as "promptfoo eval --output" writes it \(\.json or \.jsonl\): "promptIdx" is required/,
    )
  })
})
