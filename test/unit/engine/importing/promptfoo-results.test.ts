import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../../../src/engine/importing/answers/detect-format.ts'
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
    ['a score of nothing', { score: null, gradingResult: { componentResults: [{ pass: false, score: null }, null] } }, { output: 'Paris' }],
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

  test('ask messages in JSON as the conversation that they are, and name what is asked as text', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'capital?' },
    ]
    const asked = (raw: unknown) => ({ prompt: { raw: JSON.stringify(raw, null, 2), label: 'chat' } })
    const { tasks, warnings } = read(exported([result(0, 'Paris', asked(messages)), result(1, 'Rome', asked([messages[1]]))]))
    expect(tasks.map(({ fields, conversations }) => [fields['prompt_1'], conversations?.['prompt_1']])).toEqual([
      ['capital?', messages],
      ['capital?', undefined],
    ])
    expect(warnings).toEqual([])
    const prefilled = [...messages, { role: 'assistant', content: 'It is' }]
    const left = read(exported([result(0, 'Paris', asked(prefilled))]))
    expect(left.tasks[0]?.fields['prompt_1']).toBe(JSON.stringify(prefilled, null, 2))
    expect(left.warnings).toEqual([
      'One prompt is a list of messages that cannot be asked as a conversation, such as one that ends with words of the model. New runs ask it as text.',
    ])
  })

  test('name a prompt that was asked in different words under one label', () => {
    const said = (raw: string, provider: string) => result(0, 'Paris', { prompt: { raw, label: 'one' }, provider })
    expect(read(exported([said('capital?', 'a'), said('Capital, please', 'b')])).warnings).toEqual([
      'Results under the prompt "one" were asked in different words. New runs ask what the first of each test was asked.',
    ])
  })

  test('compare what is graded here by the weights of sets, wherever their parts are listed', () => {
    const [a, b, rubric] = [
      { type: 'contains', value: 'Pa', weight: 5 },
      { type: 'contains', value: 'x' },
      { type: 'llm-rubric', value: 'kind' },
    ]
    const set = { type: 'assert-set', weight: 3, assert: [a] }
    const component = (one: object, score: number) => ({ pass: score === 1, score, assertion: one })
    const graded = (assert: readonly object[], componentResults: readonly object[]) =>
      read(exported([result(0, 'Paris', { testCase: { vars: {}, assert }, score: 0.8, gradingResult: { componentResults } })]))
    const partial = 'score of the assertions that are graded here'
    const listed = [{ pass: true, score: 1 }, component(a, 1), component(b, 0), component(rubric, 1)]
    expect(graded([set, b, rubric], listed).answers[0]?.scores?.[partial]).toBe(0.75)
    expect(
      graded(
        [set, b, rubric],
        listed.filter((_, i) => i !== 1),
      ).answers[0]?.scores?.[partial],
    ).toBe(0.75)
    const best = { type: 'select-best', value: 'shortest' }
    const last = [component(a, 1), component(best, 0)]
    expect(graded([best, a], last).answers[0]?.scores).not.toHaveProperty([partial])
    expect(graded([a, best], last).answers[0]?.scores?.[partial]).toBe(1)
  })

  test('keep the score of a function of their own as it was recorded', () => {
    const testCase = { vars: {}, assert: [assertion], assertScoringFunction: 'file://score.js' }
    const { pairs, warnings } = read(exported([result(0, 'Paris', { testCase, score: 0.3 })]))
    expect(warnings[0]).toBe('Scoring functions ("assertScoringFunction") are not run here.')
    expect(pairs.slice(0, 2)).toMatchObject([
      { log: 'success', metric: null, reason: expect.stringContaining('assertScoringFunction') },
      { log: 'score', metric: null },
    ])
  })

  test('without assertions have the verdicts of the log, of which it is said that they mean nothing', () => {
    const { isGraded, pairs, warnings, answers } = read(exported([result(0, 'Rome', { testCase: { vars: {} }, success: true, score: 1 })]))
    expect(isGraded).toBe(false)
    expect(answers[0]?.scores).toEqual({ success: 1, score: 1 })
    expect(pairs.map(({ log, metric }) => [log, metric])).toEqual([
      ['success', null],
      ['score', null],
    ])
    expect(warnings).toEqual(['The tests have no assertions: "Passed" says that an output came, and nothing more.'])
  })

  test('of which all failed, with no output at all, say why', () => {
    const failed = { response: { error: 'no model' }, error: 'no model', failureReason: 2, success: false, gradingResult: null }
    expect(read(exported([result(0, null, failed)])).answers).toMatchObject([{ output: null, error: 'no model', scores: {} }])
  })

  test('ask with what their providers state alike, and name the rest', () => {
    const providers = [{ id: 'openai:x', config: { temperature: 0.3, max_tokens: 9, instructions: 'Be brief.', tools: [{}] } }]
    const { define, warnings } = read(exported([result(0, 'Paris')], { config: { providers } }))
    expect(define('d', 'D').profiles[0]).toMatchObject({
      systemPrompt: 'Be brief.',
      generation: { temperature: 0.3, max_output_tokens: 9 },
    })
    expect(warnings).toEqual(['The provider "openai:x" sets tools, which is not imported: runs ask every model by every prompt alike.'])
    expect(read(exported([result(0, 'Paris')], { config: { providers: ['echo'] } })).warnings).toEqual([])
  })

  test('of the first releases are placed by their templates and variables', () => {
    const asked = (language: string, template: string) => ({
      prompt: { raw: `${template} ${language}`, display: `${template} {{language}}` },
      vars: { language },
      response: { output: `${template}-${language}`, tokenUsage: {} },
      success: true,
    })
    const results = ['Say', 'Sing'].flatMap(template => ['French', 'Dutch'].map(language => asked(language, template)))
    const table = { head: { prompts: ['Say {{language}}'], vars: ['language'] }, body: [] }
    const { tasks, answers } = read({ version: 1, results, stats: { successes: 4, failures: 0, tokenUsage: {} }, table })
    expect(tasks.map(({ fields }) => fields)).toEqual([
      { prompt_1: 'Say French', prompt_2: 'Sing French' },
      { prompt_1: 'Say Dutch', prompt_2: 'Sing Dutch' },
    ])
    expect(answers.map(({ taskIndex, profileKey, output }) => [taskIndex, profileKey, output])).toEqual([
      [0, 'prompt-1', 'Say-French'],
      [1, 'prompt-1', 'Say-Dutch'],
      [0, 'prompt-2', 'Sing-French'],
      [1, 'prompt-2', 'Sing-Dutch'],
    ])
    expect(detectFormat([{ name: 'output.json', head: JSON.stringify({ version: 1, results }), end: '' }], false)).toBe('promptfoo_results')
    expect(detectFormat([{ name: 'o.json', head: '{"results":{"version":2,"results":[', end: '' }], false)).toBe('promptfoo_results')
  })

  test('without places are of several tests where their assertions differ', () => {
    const results = ['Paris', 'Rome'].map(value => {
      const { promptIdx: _, testIdx: __, ...placeless } = result(0, 'Paris', { vars: { q: 'capital?' } })
      return { ...placeless, testCase: { vars: { q: 'capital?' }, assert: [{ type: 'equals', value }] } }
    })
    const { tasks, answers } = read({ version: 1, results })
    expect(tasks.map(({ metadata }) => metadata['assertions'])).toMatchObject([[{ value: 'Paris' }], [{ value: 'Rome' }]])
    expect(answers.map(({ taskIndex }) => taskIndex)).toEqual([0, 1])
  })

  test('that are none say so', () => {
    expect(() => read({ evalId: 'e', results: { results: [] } })).toThrow('has no results')
    expect(() => read({ evalId: 'e', results: { results: [{ testIdx: 'x' }] } })).toThrow(
      /is not as "promptfoo eval --output" writes it \(\.json or \.jsonl\): "testIdx" must be a number/,
    )
  })
})
