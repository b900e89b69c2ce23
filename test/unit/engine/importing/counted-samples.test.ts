import { describe, expect, test } from 'vitest'
import { countWarning, fittingId } from '../../../../src/engine/importing/answers/foreign-log.ts'
import { readInspectLogs } from '../../../../src/engine/importing/answers/read-inspect-log.ts'
import { readLmEvalSamples } from '../../../../src/engine/importing/answers/read-lm-eval-samples.ts'
import { readPromptfooResults } from '../../../../src/engine/importing/answers/read-promptfoo-results.ts'

const inspect = (ids: readonly (string | number)[], more: { readonly total?: number; readonly stated?: readonly unknown[] } = {}) => ({
  name: 'log.json',
  bytes: Buffer.from(
    JSON.stringify({
      eval: { task: 'demo', model: 'm', scorers: [{ name: 'match' }], dataset: { sample_ids: more.stated ?? null } },
      results: { total_samples: more.total ?? null },
      samples: ids.map(id => ({
        id,
        epoch: 1,
        input: `Q ${id}`,
        target: 'a',
        output: { choices: [{ message: { content: 'a' } }] },
        scores: { match: { value: 'C' } },
      })),
    }),
  ),
})
const said = (log: ReturnType<typeof readInspectLogs>[number] | undefined) => (log ? countWarning(log.title, log.counted) : ['no log'])

describe('the samples of a file are counted against its own number:', () => {
  test('Inspect, with the ids that are missing', () => {
    expect(said(readInspectLogs([inspect(['a', 'b'], { total: 2 })])[0])).toEqual([])
    expect(said(readInspectLogs([inspect(['a'], { total: 3, stated: ['a', 'b/1', 3] })])[0])).toEqual([
      '"demo" states 3 samples, and 1 was read. Missing: b/1, 3. Figures here are of those that were read.',
    ])
    expect(said(readInspectLogs([inspect(['a'])])[0])).toEqual([])
  })

  const sample = (id: number) =>
    JSON.stringify({
      doc_id: id,
      doc: {},
      target: 'a',
      arguments: { gen_args_0: { arg_0: `Q ${id}`, arg_1: {} } },
      resps: [['a']],
      filtered_resps: ['a'],
      filter: 'none',
      metrics: ['exact_match'],
      exact_match: 1,
    })
  const samples = (task: string, ...rows: readonly string[]) => ({
    name: `samples_${task}_2026-05-01T10-00-00.jsonl`,
    folder: '',
    bytes: Buffer.from(rows.join('\n')),
  })
  const results = (effective: number) => ({
    name: 'results_2026-05-01T10-00-00.json',
    folder: '',
    bytes: Buffer.from(
      JSON.stringify({ configs: { demo: { output_type: 'generate_until' } }, 'n-samples': { demo: { original: 9, effective } } }),
    ),
  })
  test('lm-evaluation-harness, by task', () => {
    expect(said(readLmEvalSamples([samples('demo', sample(0), sample(1)), results(2)], undefined)[0])).toEqual([])
    expect(said(readLmEvalSamples([samples('demo', sample(0), sample(1)), results(3)], undefined)[0])[0]).toContain(
      'Missing: demo (2 of 3).',
    )
  })

  test('lm-evaluation-harness leaves out a task that has no answers, by its name, and refuses it where it is alone', () => {
    const rolling = samples('wiki', JSON.stringify({ doc_id: 0, doc: {}, target: 'a', arguments: [['whole text']], resps: [['-1.5']] }))
    const logs = readLmEvalSamples([rolling, samples('demo', sample(0))], undefined)
    expect(logs.map(({ title }) => title)).toEqual(['demo'])
    expect(logs[0]?.warnings[0]).toMatch(/^Left out: "samples_wiki_.*loglikelihood_rolling/)
    expect(() => readLmEvalSamples([rolling], undefined)).toThrow('loglikelihood_rolling')
  })

  test('lm-evaluation-harness leaves out lines that cannot be read, and takes no answer for none', () => {
    const silent = sample(2).replace('"resps":[["a"]]', '"resps":[[null]]')
    const [log] = readLmEvalSamples([samples('demo', sample(0), '{"doc_id": 1}', silent, sample(3).slice(0, 40)), results(4)], undefined)
    expect(log?.answers.map(({ output }) => output)).toEqual(['a', null])
    expect(log?.warnings.slice(0, 2)).toEqual([
      expect.stringContaining('Left out: Send samples_*.jsonl as lm-evaluation-harness writes it'),
      expect.stringMatching(
        /^Left out: "samples_demo_.*, line 4": Close the text with double quotes at column 41, where the text ends\. The JSON breaks off there\.$/,
      ),
    ])
    expect(() => readLmEvalSamples([samples('demo', '{')], undefined)).toThrow('The JSON breaks off there.')
  })

  const result = (testIdx: number, question: string, more: object = {}) => ({
    promptIdx: 0,
    testIdx,
    provider: { id: 'p' },
    prompt: { raw: question, label: 'Q' },
    response: { output: 'a' },
    success: true,
    score: 1,
    testCase: { vars: { q: question }, assert: [{ type: 'contains', value: 'a' }] },
    ...more,
  })
  const promptfoo = (list: readonly object[], stats?: object) =>
    readPromptfooResults({
      name: 'out.json',
      bytes: Buffer.from(JSON.stringify({ evalId: 'e', results: { version: 3, results: list, stats } })),
    })
  test('promptfoo, whose unreadable results are left out by their place', () => {
    const log = promptfoo([result(0, 'A?'), { promptIdx: 0, testIdx: 1 }, result(2, 'B?', { success: null })], {
      successes: 1,
      failures: 1,
      errors: 1,
    })
    expect(log.tasks).toHaveLength(1)
    expect(log.warnings).toHaveLength(2)
    expect(log.warnings[0]).toMatch(/^Left out: "out.json, result 2"/)
    expect(countWarning(log.title, log.counted)[0]).toContain('states 3 samples, and 1 was read')
    expect(() => promptfoo([{ a: 1 }])).toThrow('out.json, result 1')
  })

  test('promptfoo, whose last line was cut off', () => {
    const lines = [result(0, 'A?'), result(1, 'B?')].map(each => JSON.stringify(each))
    const log = readPromptfooResults({ name: 'out.jsonl', bytes: Buffer.from(`${lines.join('\n')}\n{"promptIdx": 0, "te`) })
    expect(log.tasks).toHaveLength(2)
    expect(log.warnings).toEqual([
      expect.stringMatching(/^Left out: "out.jsonl, line 3": .* at column \d+.*\. The JSON breaks off there\./),
    ])
  })

  test('one log of Inspect that cannot be read does not refuse another', () => {
    const logs = readInspectLogs([{ name: 'bad.json', bytes: Buffer.from('{"eval": 1}') }, inspect(['a'])])
    expect(logs).toHaveLength(1)
    expect(logs[0]?.warnings[0]).toMatch(/^Left out: Send "bad.json" as Inspect wrote it \(\.eval or \.json\): in this file/)
  })
})

test('ids that are alike in their first 200 characters stay apart', () => {
  const long = 'x'.repeat(250)
  expect(fittingId('short')).toBe('short')
  expect(fittingId(long)).toHaveLength(200)
  expect(fittingId(`${long}1`)).not.toBe(fittingId(`${long}2`))
  expect(readInspectLogs([inspect([`${long}1`, `${long}2`])])[0]?.tasks).toHaveLength(2)
})
