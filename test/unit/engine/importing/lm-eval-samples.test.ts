import { describe, expect, test } from 'vitest'
import { withRecordedScores } from '../../../../src/engine/importing/answers/recorded-metrics.ts'
import { valueOf } from '../grading/scorers/grade.ts'
import { readLmEvalSamples } from '../../../../src/engine/importing/answers/read-lm-eval-samples.ts'

const sample = (more: object = {}) => ({
  doc_id: 0,
  doc: { question: '2+2?' },
  target: '4',
  arguments: { gen_args_0: { arg_0: 'Q: 2+2?\nA:', arg_1: { until: ['\n'] } } },
  resps: [['4']],
  filtered_resps: ['4'],
  filter: 'none',
  metrics: ['exact_match'],
  exact_match: 1,
  ...more,
})

function read(...rows: readonly object[]) {
  const bytes = Buffer.from(rows.map(row => JSON.stringify(row)).join('\n'))
  const [log] = readLmEvalSamples([{ name: 'samples_demo_2026-05-01T10-00-00.jsonl', folder: '', bytes }], undefined)
  if (!log) throw new Error('There is no log.')
  return { ...log, metrics: withRecordedScores(log).define('demo', 'Demo').profiles[0]?.metrics ?? [] }
}

describe('samples of lm-evaluation-harness', () => {
  test.each([
    [true, ['True']],
    [false, ['False']],
    [null, []],
    [5, ['5']],
    [
      ['a', 6],
      ['a', '6'],
    ],
    [{ text: ['x', 'y'] }, ['x', 'y']],
    [{ value: 1 }, ['{"value":1}']],
  ])('have the target %j as the texts %j', (target, texts) => {
    expect(read(sample({ target })).tasks[0]?.targets).toEqual(texts)
  })

  const asked = (...settings: readonly unknown[]) => {
    const rows = settings.map((arg_1, i) => sample({ doc_id: i, arguments: { gen_args_0: { arg_0: 'Q: 2+2?\nA:', arg_1 } } }))
    const { define, warnings } = read(...rows)
    return { generation: define('demo', 'Demo').profiles[0]?.generation, said: warnings.filter(text => !text.includes('results file')) }
  }

  test.each([
    ['a list', (rows: unknown) => JSON.stringify(rows)],
    ['lines', (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')],
    ['a list of lmms-eval', (logs: unknown) => JSON.stringify({ args: {}, model_configs: {}, logs, time: 'x' })],
  ])('are read from JSON as %s', (_, form) => {
    const rows = [sample({ metrics: undefined, exact_match: { id: 'a', score: 1 } }), sample({ doc_id: 1 })]
    const logs = readLmEvalSamples([{ name: 'samples_demo_2026-05-01T10-00-00.json', folder: '', bytes: Buffer.from(form(rows)) }], 'm')
    expect(logs.map(({ title, answers }) => [title, answers.map(({ scores }) => scores)])).toEqual([
      ['demo', [{ 'exact_match,none': 1 }, { 'exact_match,none': 1 }]],
    ])
  })

  test('that are there again under one filter are left out by name, and each answer keeps its own score', () => {
    const again = sample({ resps: [['5']], filtered_resps: ['5'], exact_match: 0 })
    const { tasks, answers, warnings } = read(sample(), again, sample({ filter: 'flexible', exact_match: 0 }), sample({ doc_id: 1 }))
    expect(tasks).toHaveLength(2)
    expect(answers.map(({ output, scores }) => [output, scores])).toEqual([
      ['4', { 'exact_match,none': 1, 'exact_match,flexible': 0 }],
      ['4', { 'exact_match,none': 1 }],
    ])
    expect(warnings).toContain(
      'Left out: "samples_demo_2026-05-01T10-00-00.jsonl", line 2, the document 0 is there again under the filter "none"; the first is read',
    )
  })

  describe('without the names of filters, as before release 0.4.4', () => {
    const twice = [0, 1].flatMap(filter =>
      [0, 1].map(doc_id =>
        sample({
          doc_id,
          filter: undefined,
          resps: [[`So ${doc_id}.`]],
          filtered_resps: [filter === 0 ? '[invalid]' : '4'],
          exact_match: filter,
        }),
      ),
    )
    const filter_list = ['strict-match', 'flexible-extract'].map(name => ({ name, filter: [{ function: 'take_first' }] }))
    const scoresOf = (samples: readonly object[], results: object | null) => {
      const bytes = Buffer.from(samples.map(row => JSON.stringify(row)).join('\n'))
      const files = [
        ...(samples.length === 0 ? [] : [{ name: 'samples_demo_2024-05-01T10-00-00.jsonl', folder: '', bytes }]),
        ...(results === null
          ? []
          : [{ name: 'results_2024-05-01T10-00-00.json', folder: '', bytes: Buffer.from(JSON.stringify(results)) }]),
      ]
      const [log] = readLmEvalSamples(files, 'm')
      return { scores: log?.answers.map(({ scores }) => scores), warnings: log?.warnings ?? [] }
    }

    test('have those of the results, in their order', () => {
      const configs = { demo: { filter_list } }
      const each = { 'exact_match,strict-match': 0, 'exact_match,flexible-extract': 1 }
      expect(scoresOf(twice, { configs })).toEqual({ scores: [each, each], warnings: [] })
      expect(scoresOf([], { configs, samples: { demo: twice } }).scores).toEqual([each, each])
      const again = scoresOf([...twice, ...twice], { configs })
      expect(again.scores).toEqual([each, each])
      expect(again.warnings[0]).toContain('line 5, the document 0 is there again under the filter "strict-match"; the first is read')
    })

    test('are numbered where there are no results', () => {
      const { scores, warnings } = scoresOf(twice, null)
      expect(scores).toEqual(Array.from({ length: 2 }, () => ({ 'exact_match,filter-1': 0, 'exact_match,filter-2': 1 })))
      expect(warnings).toContain('Rows of "demo" do not name their filters, which are called filter-1, filter-2 in their order.')
    })

    test('are one row where the same answer is there again', () => {
      const [first] = twice
      expect(scoresOf([first ?? {}, first ?? {}], null).scores).toEqual([{ 'exact_match,none': 0 }])
    })

    test('are none where a document is there again in fewer rows than the results have filters', () => {
      const [first = {}, second = {}] = twice
      for (const again of [first, { ...first, resps: [['Or.']], filtered_resps: ['4'], exact_match: 1 }]) {
        const { scores, warnings } = scoresOf([first, second, again], { configs: { demo: { filter_list } } })
        expect(scores).toEqual([{ 'exact_match,none': 0 }, { 'exact_match,none': 0 }])
        expect(warnings).toContainEqual(expect.stringContaining('line 3, the document 0 is there again under the filter "none"'))
      }
    })

    test('leave out a document of which a row is missing', () => {
      const { scores, warnings } = scoresOf(twice.slice(1), { configs: { demo: { filter_list } } })
      expect(scores).toHaveLength(1)
      expect(warnings[0]).toContain('the document 0 has 1 of 2 rows, and none of them names its filter')
    })
  })

  test('are read under whatever name their content told', () => {
    const bytes = Buffer.from(JSON.stringify(sample()))
    expect(readLmEvalSamples([{ name: 'out.txt', folder: '', bytes }], 'm').map(({ answers }) => answers.length)).toEqual([1])
  })

  test('are asked again with the settings that they state', () => {
    const stated = { until: ['\n', ''], do_sample: true, temperature: 0.7, max_gen_toks: 32 }
    expect(asked(stated, stated)).toEqual({ generation: { temperature: 0.7, max_output_tokens: 32, stop: ['\n'] }, said: [] })
    expect(asked({ until: '\n\n' }).generation).toEqual({ temperature: 0, max_output_tokens: 1024, stop: ['\n\n'] })
    expect(asked({ until: ['a', 'b', 'c', 'd', 'e'] })).toEqual({
      generation: { temperature: 0, max_output_tokens: 1024, stop: ['a', 'b', 'c', 'd'] },
      said: ['"demo" stops at 5 texts. New runs stop at the first 4: ["a","b","c","d"].'],
    })
  })

  test('say that documents were asked with different settings', () => {
    const { generation, said } = asked({ until: ['a'] }, { until: ['b'] })
    expect(generation?.stop).toEqual([])
    expect(said).toEqual([
      'Documents of "demo" were asked with different settings. New runs ask all of them with the settings of the profile.',
    ])
  })

  test('are read with texts for document ids', () => {
    expect(read(sample({ doc_id: 'q2' }), sample({ doc_id: 'q1' })).tasks.map(({ id }) => id)).toEqual(['q2', 'q1'])
  })

  test('of early releases have lists of arguments and name no metrics', () => {
    const { metrics: _, filter: __, ...early } = sample({ arguments: [['Q: 2+2?\nA:', { until: [] }]] })
    const { tasks, answers, pairs } = read(early)
    expect(tasks[0]?.fields['text']).toBe('Q: 2+2?\nA:')
    expect(answers[0]?.scores).toEqual({ 'exact_match,none': 1 })
    expect(pairs).toEqual([{ log: 'exact_match,none', metric: 'exact_match', reason: null, release: null }])
  })

  test('with other counts of answers say which documents have fewer', () => {
    const { warnings, answers } = read(sample({ resps: [['a', 'b', 'c']] }), sample({ doc_id: 1, resps: [['a', 'b']] }))
    expect(answers).toHaveLength(5)
    expect(warnings.join('\n')).toContain('Documents of "demo" have between 2 and 3 answers: 1 of 2 have fewer than 3.')
    expect(read(sample({ resps: [['a', 'b']] }), sample({ doc_id: 1, resps: [['a', 'b']] })).warnings.join('\n')).not.toContain('between')
  })

  test('show a conversation as it was held', () => {
    const { tasks } = read(sample({ arguments: { gen_args_0: { arg_0: ['[{"role": "user", "content": "2+2?"}]'], arg_1: {} } } }))
    expect(tasks[0]?.fields['text']).toBe('2+2?')
  })

  test('name what only a provider can read of a conversation', () => {
    const content = [
      { type: 'text', text: '2+2?' },
      { type: 'data', data: { encrypted: 'x' } },
    ]
    const arg_0 = [JSON.stringify([{ role: 'user', content }])]
    const { tasks, warnings } = read(sample({ arguments: { gen_args_0: { arg_0, arg_1: {} } } }))
    expect(tasks[0]?.fields['text']).toBe('2+2?')
    expect(warnings.join('\n')).toContain(
      'Messages of "demo": one part of the type "data", which only their provider can read, was left out.',
    )
  })

  test('have their choices in the order of the requests’ numbers', () => {
    const names = Array.from({ length: 12 }, (_, i) => `c${i}`)
    const entries = names.map((name, i) => [`gen_args_${i}`, { arg_0: 'Q', arg_1: ` ${name}` }] as const)
    const sorted = Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
    const resps = names.map((_, i) => [[i === 11 ? '-1' : '-5', 'False']])
    const { tasks } = read(sample({ arguments: sorted, resps, target: 11, metrics: ['acc'], acc: 1 }))
    expect(tasks[0]).toMatchObject({ choices: names, targets: ['c11'] })
  })

  test.each([
    ['years', Array.from({ length: 30 }, (_, i) => String(1990 + i)), 5, '1995'],
    ['numbers', Array.from({ length: 30 }, (_, i) => String(i)), 1, '1'],
    ['the same text twice', ['x', 'y', 'x'], 2, 'C'],
  ])('with %s as choices are graded as the harness did', (_, choices, right, target) => {
    const entries = choices.map((name, i) => [`gen_args_${i}`, { arg_0: 'Q', arg_1: ` ${name}` }] as const)
    const resps = choices.map((_, i) => [[i === right ? '-1' : '-5', 'False']])
    const { tasks, answers } = read(sample({ arguments: Object.fromEntries(entries), resps, target: right, metrics: ['acc'], acc: 1 }))
    expect(tasks[0]?.targets).toEqual([target])
    expect(valueOf('lm_eval/multiple_choice', {}, answers[0]?.output ?? '', target, { choices })).toBe(1)
  })

  test('have an impossible choice as the least likely one', () => {
    const bytes = Buffer.from(
      JSON.stringify(
        sample({
          target: 1,
          metrics: ['acc'],
          acc: 1,
          arguments: { gen_args_0: { arg_0: 'Q', arg_1: ' x' }, gen_args_1: { arg_0: 'Q', arg_1: ' y' } },
          resps: [[['INF', false]], [['-1.2', true]]],
        }),
      ).replace('"INF"', '-Infinity'),
    )
    const [log] = readLmEvalSamples([{ name: 'samples_demo.jsonl', folder: '', bytes }], undefined)
    expect(log?.answers[0]?.output).toBe(JSON.stringify({ loglikelihoods: [-Number.MAX_VALUE, -1.2] }))
  })

  test('whose filter is not known show the log’s own scores, as such', () => {
    const { metrics, pairs } = read(sample({ resps: [['The answer is 4']] }))
    expect(metrics).toMatchObject([{ scorer: 'assay/recorded_score', binary: true, options: { name: 'exact_match,none' }, primary: true }])
    expect(pairs).toMatchObject([{ metric: null, reason: expect.stringContaining('send the results file') }])
  })

  test('with several answers to a document have a score of all of them on each, and no attempts of it', () => {
    const { answers, metrics, warnings } = read(sample({ resps: [['a', 'b']] }))
    expect(warnings[0]).toMatch(/^1 of 1 documents have several answers.*of all of them together/)
    expect(answers.map(({ scores }) => scores)).toEqual([{ 'exact_match,none': 1 }, { 'exact_match,none': 1 }])
    expect(metrics).toMatchObject([{ scorer: 'assay/recorded_score', binary: false }])
  })

  test('with several answers to a document and the first one scored compare that', () => {
    const { answers, pairs, warnings } = read(sample({ resps: [['4', '5']] }))
    expect(warnings[0]).toMatch(/scores are of the first/)
    expect(answers.map(({ scores }) => scores)).toEqual([{ 'exact_match,none': 1 }, {}])
    expect(pairs).toMatchObject([{ metric: 'exact_match', reason: null }])
  })

  test('of whole texts are refused by what they are', () => {
    expect(() => read(sample({ arguments: { gen_args_0: { arg_0: 'abc' } }, resps: [['-1.5']] }))).toThrow('likelihood of a whole text')
  })
})
