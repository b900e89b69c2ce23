import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const land = (format: string, name: string, content: string, fields: Record<string, string> = {}) =>
  importToEnd(service, { fields: { format, name, ...fields }, files: [{ name: format.endsWith('csv') ? 'x.csv' : 'x.jsonl', content }] })
const lines = (...rows: object[]) => rows.map(row => JSON.stringify(row)).join('\n')

describe('a dataset of Inspect', () => {
  test('is imported with messages, choices by letter and ids, and can be run', async () => {
    const record = await land(
      'inspect_jsonl',
      'From Inspect',
      lines(
        { input: 'Two and two?', target: 'B', choices: ['three', 'four'], id: 7 },
        {
          input: [{ role: 'user', content: [{ type: 'text', text: 'Up or down?' }] }],
          target: 'A',
          choices: ['up', 'down'],
          metadata: { x: 1 },
        },
      ),
    )
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 } })
    expect(record.preview).toMatchObject([
      { line: 1, task_id: '7', input: 'Two and two?', targets: ['B'], choices: ['three', 'four'] },
      { line: 2, task_id: 'row-0002', input: 'Up or down?', targets: ['A'], choices: ['up', 'down'] },
    ])
    const { id } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-100' },
      profiles: [await profileId(service.client, 'from-inspect', 'zero-shot')],
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(metrics[0]?.estimate.mean).toBe(1)
  })

  test('is refused line by line where a sample is more than a question', async () => {
    const record = await land(
      'inspect_jsonl',
      'Refused',
      lines(
        { input: 'a', target: 'b', sandbox: 'docker' },
        { input: 'a', target: 'C', choices: ['x', 'y'] },
        { input: [{ role: 'user', content: [{ type: 'image', image: 'x' }] }], target: 'b' },
        { input: '', target: 'a' },
      ),
    )
    expect(record.status).toBe('failed')
    expect(record.errors.map(({ line, message }) => [line, message])).toEqual([
      [1, expect.stringMatching(/^The sample needs "sandbox", .* Import the sample without that/)],
      [2, 'The target "C" must be the letter of a choice, A to B, several such as "A,C", or the text of a choice.'],
      [3, 'The file "x" in "input" is not among the files of this import.'],
      [4, 'The field "input" is empty.'],
    ])
  })
})

describe('a dataset of Inspect with and without choices', () => {
  test('is refused by line, since no prompt fits both', async () => {
    const record = await land(
      'inspect_jsonl',
      'Mixed',
      lines(
        { input: 'a', target: 'A', choices: ['x', 'y'] },
        { input: 'b', target: 'x' },
        { input: 'c', target: 'B', choices: ['x', 'y'] },
      ),
    )
    expect(record).toMatchObject({ status: 'failed', rows: { read: 3, valid: 2 } })
    expect(record.errors).toMatchObject([{ line: 2, message: expect.stringMatching(/no "choices", unlike the one on line 1.*two files/) }])
  })
})

describe('samples of OpenAI evals', () => {
  const registry = `demo-match:
  id: demo-match.dev.v0
demo-match.dev.v0:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: demo/samples.jsonl, num_few_shot: 1, few_shot_jsonl: demo/few_shot.jsonl}
demo-includes:
  id: demo-includes.dev.v0
demo-includes.dev.v0:
  class: evals.elsuite.basic.includes:Includes
  args: {samples_jsonl: demo/samples.jsonl, ignore_case: true}
demo-json:
  id: demo-json.dev.v0
demo-json.dev.v0:
  class: evals.elsuite.basic.json_match:JsonMatch
  args: {samples_jsonl: demo/json.jsonl}
demo-closed:
  id: demo-closed.dev.v0
demo-closed.dev.v0:
  class: evals.elsuite.modelgraded.classify:ModelBasedClassify
  args: {samples_jsonl: demo/samples.jsonl, modelgraded_spec: closedqa, modelgraded_spec_args: {criteria: "relevance: is it on topic?"}}
demo-own:
  id: demo-own.dev.v0
demo-own.dev.v0:
  class: evals.elsuite.own:Own
  args: {samples_jsonl: demo/samples.jsonl}
`
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Capital of France?' },
  ]
  const samples = { name: 'samples.jsonl', content: lines({ input: messages, ideal: ['Paris', 'paris'] }) }
  const yaml = { name: 'demo.yaml', content: registry }
  const shots = {
    name: 'few_shot.jsonl',
    content: lines({
      sample: [
        { role: 'user', content: 'Capital of Spain?' },
        { role: 'assistant', content: 'Madrid' },
      ],
    }),
  }
  const from = (name: string, files: readonly { readonly name: string; readonly content: string }[], fields: Record<string, string> = {}) =>
    importToEnd(service, { fields: { format: 'openai_evals_jsonl', name, ...fields }, files })
  const metricsOf = async (slug: string) => {
    const { profiles } = await service.client.call('getBenchmark', { params: { slug } })
    return profiles[0]?.metrics.map(({ scorer, options, primary }) => [scorer, options, primary])
  }

  test('that came alone ask for their grader once, and keep their roles and every ideal answer', async () => {
    const asked = await from('From evals', [samples])
    expect(asked).toMatchObject({
      status: 'failed',
      errors: [{ message: expect.stringContaining('Send the registry’s YAML beside the samples') }],
    })
    expect(asked.choices).toContainEqual({ name: 'Includes', kind: 'grader' })
    const record = await from('From evals', [samples], { task: 'Includes' })
    expect(record.preview.map(({ input, targets }) => [input, targets])).toEqual([
      ['SYSTEM:\nBe brief.\n\nUSER:\nCapital of France?', ['Paris', 'paris']],
    ])
    expect(await metricsOf('from-evals')).toEqual([['openai_evals/Includes', {}, true]])
  })

  test.each([
    ['demo-match', [samples, shots], 'openai_evals/Match', {}],
    ['demo-includes', [samples], 'openai_evals/Includes', { ignore_case: true }],
    ['demo-json', [{ name: 'json.jsonl', content: lines({ input: 'x', ideal: { a: 1 } }) }], 'openai_evals/JsonMatch', {}],
  ])('are graded as %s of their registry', async (task, files, scorer, options) => {
    const record = await from(`By ${task}`, [yaml, ...files], { task })
    expect(record).toMatchObject({ status: 'imported', errors: [] })
    expect(await metricsOf(`by-${task}`)).toEqual([[scorer, options, true]])
    if (task === 'demo-match')
      expect(record.preview[0]?.input).toContain('USER:\nCapital of Spain?\n\nASSISTANT:\nMadrid\n\nUSER:\nCapital of France?')
    if (task === 'demo-json') expect(record.preview[0]?.targets).toEqual(['{"a":1}'])
  })

  test('that a model grades get the evaluator for it, and no other score', async () => {
    const record = await from('Judged', [yaml, samples], { task: 'demo-closed' })
    expect(record).toMatchObject({ status: 'imported', evaluators: [{ assertion: 'ModelBasedClassify', preset: 'test_rubric', tasks: 1 }] })
    expect(record.preview[0]?.targets).toEqual(['relevance: is it on topic?'])
    expect(record.warnings.join()).toContain('choose an evaluator for runs')
    expect(await metricsOf('judged')).toEqual([['assay/recorded_score', { name: 'graded_by_evaluator' }, true]])
  })

  test('without an ideal are refused by their line', async () => {
    const record = await from('Refused', [{ name: 'samples.jsonl', content: lines({ input: 'q' }) }], { task: 'Match' })
    expect(record.errors).toMatchObject([{ line: 1, message: 'The field "ideal" is missing.' }])
  })

  test.each([
    ['several evals of the same samples', [yaml, samples], {}, 'Choose one as "task": "demo-match", "demo-includes", "demo-closed".'],
    ['several evals, of which some are refused', [yaml, samples], {}, '"demo-own" is graded by the class "Own"'],
    ['a class of its own', [yaml, samples], { task: 'demo-own' }, 'graded by the class "Own", a program of its own'],
    ['worked examples that were not sent', [yaml, samples], { task: 'demo-match' }, 'Send "demo/few_shot.jsonl" beside the samples'],
    ['samples that were not sent', [yaml, samples], { task: 'demo-json' }, 'Send "demo/json.jsonl" beside the YAML'],
  ])('are refused for %s', async (_, files, fields, message) => {
    const record = await from('Refused', files, fields)
    expect(record.status).toBe('failed')
    expect(record.errors.map(one => one.message).join(' ')).toContain(message)
  })
})

describe('tests of promptfoo', () => {
  test('are imported by their one variable, its wrapping and what is expected', async () => {
    const csv =
      'question,__expected,__prefix,__description\nWhat is 2+2?,4,Answer: ,sum\n"Name a color","contains-any: red, blue",,\nHello?,icontains: hi,,\n'
    const record = await land('promptfoo_csv', 'From promptfoo', csv)
    expect(record.preview.map(({ input, targets }) => [input, targets])).toEqual([
      ['Answer: What is 2+2?', ['4']],
      ['Name a color', ['red', 'blue']],
      ['Hello?', ['hi']],
    ])
  })

  test('need the question variable, and refuse model-graded assertions', async () => {
    const csv =
      'topic,text,__expected,__expected2\nx,one,llm-rubric: is kind,\nx,two,contains: a,contains: b\nx,three,similar(0.8): cat,\nx,four,,\n'
    const told = await land('promptfoo_csv', 'Told', csv, { mapping: JSON.stringify({ input: 'text' }) })
    expect(told.errors.map(({ line, message }) => [line, message.split(':')[0]])).toEqual([
      [
        2,
        'The assertion "llm-rubric" needs a judge. Leave it out of the import ("leave_out"), which keeps the test, and grade it with an evaluator.',
      ],
      [
        4,
        'The assertion "similar" compares embeddings. Leave it out of the import ("leave_out"), which keeps the test, and grade it with an evaluator.',
      ],
    ])
    const untold = await land('promptfoo_csv', 'Untold', csv)
    expect(untold.errors[0]?.message).toContain('There are 2 variables (topic, text)')
  })
})

test('tests of promptfoo are imported without what cannot be graded after an explicit yes', async () => {
  const csv = 'question,__expected\nHi?,icontains: hi\nWhy?,webhook: x\nBye?,llm-rubric: is kind\n'
  const refused = await land('promptfoo_csv', 'Some of promptfoo', csv)
  expect(refused).toMatchObject({ status: 'failed', error_count: 2, rows: { valid: 3 }, left_out: [], source_ref: null })
  const record = await land('promptfoo_csv', 'Some of promptfoo', csv, { leave_out: 'true' })
  expect(record).toMatchObject({
    status: 'imported',
    rows: { valid: 3 },
    left_out: [{ file: 'x.csv', line: 3, message: expect.stringContaining('"webhook" cannot be imported') }],
    left_out_count: 1,
    evaluators: [{ assertion: 'llm-rubric', preset: 'test_rubric', tasks: 1 }],
  })
  const { presets } = await service.client.call('getEvaluatorOptions', {})
  expect(presets.map(({ id }) => id)).toContain('test_rubric')
})

test('rows that repeat an id are left out after an explicit yes, the first is kept', async () => {
  const rows = ['1', '2', '1'].map((id, i) => JSON.stringify({ id, input: `Question ${i}`, target: `${i}` })).join('\n')
  const refused = await land('jsonl', 'Twice', rows)
  expect(refused).toMatchObject({
    status: 'failed',
    error_count: 1,
    errors: [{ message: 'The id "1" was already used on line 1 of x.jsonl.' }],
  })
  const record = await land('jsonl', 'Twice', rows, { leave_out: 'true' })
  expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 }, left_out: [{ line: 3 }], left_out_count: 1 })
  const { items } = await service.client.call('listTasks', { query: { source_ref: record.source_ref ?? '' } })
  expect(items.map(({ task_id, preview }) => [task_id, preview])).toEqual([
    ['1', 'Question 0'],
    ['2', 'Question 1'],
  ])
})

describe('a configuration of promptfoo', () => {
  const yaml = (name: string, content: string) => ({ name, content })
  const send = (name: string, ...files: { name: string; content: string }[]) =>
    importToEnd(service, { fields: { format: 'promptfoo_yaml', name }, files })

  test('makes each prompt a profile and each test a task, graded by its own assertions', async () => {
    const config = [
      'prompts:',
      '  - "Translate to {{language}}: {{text}}"',
      '  - file://long.txt',
      'defaultTest:',
      '  assert:',
      '    - {type: word-count, value: {max: 4}}',
      'tests:',
      '  - vars: {text: Hello, language: [French, German]}',
      '    assert:',
      '      - {type: icontains-any, value: [bonjour, hallo], weight: 3}',
      '  - file://more.csv',
    ].join('\n')
    const record = await send(
      'From a configuration',
      yaml('promptfooconfig.yaml', config),
      yaml('long.txt', 'Say "{{text}}" in {{language}}.'),
      yaml('more.csv', 'text,language,__expected1,__expected2\nBye,French,icontains: au revoir,not-contains: bye\n'),
    )
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { valid: 3 } })
    expect(record.preview.map(({ input, targets }) => [input, targets])).toEqual([
      ['Translate to French: Hello\nSay "Hello" in French.', ['bonjour', 'hallo']],
      ['Translate to German: Hello\nSay "Hello" in German.', ['bonjour', 'hallo']],
      ['Translate to French: Bye\nSay "Bye" in French.', ['au revoir']],
    ])
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'from-a-configuration' } })
    expect(profiles.map(({ title, prompt_template, metrics }) => [title, prompt_template, metrics.map(({ id }) => id)])).toEqual([
      ['Prompt 1', '{prompt_1}', ['pass', 'score']],
      ['Prompt 2', '{prompt_2}', ['pass', 'score']],
    ])
    const { id } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-100' },
      profiles: [await profileId(service.client, 'from-a-configuration', 'prompt-1')],
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(metrics[0]?.estimate.mean).toBe(1)
  })

  test('gives every test what `defaultTest` and `<<` hold, and tells the tests of two files apart', async () => {
    const config = [
      'prompts: ["{{q}}"]',
      'defaultTest: {threshold: 0, options: {prefix: "Please: ", suffix: "!"}}',
      'tests:',
      '  - &base {vars: {q: one}, assert: [{type: equals, value: x}]}',
      '  - {<<: *base, vars: {q: two}}',
      '  - file://a.csv',
      '  - file://b.csv',
    ].join('\n')
    const record = await send(
      'Given to all',
      yaml('promptfooconfig.yaml', config),
      yaml('a.csv', 'q,__expected\nthree,x\n'),
      yaml('b.csv', 'q,__expected,__suffix\nfour,x,?\n'),
    )
    expect(record.errors).toEqual([])
    expect(record.preview.map(({ task_id, input, targets }) => [task_id, input, targets])).toEqual([
      ['promptfooconfig.yaml-0001', 'Please: one!', ['x']],
      ['promptfooconfig.yaml-0002', 'Please: two!', ['x']],
      ['a.csv-0001', 'Please: three!', ['x']],
      ['b.csv-0001', 'Please: four?', ['x']],
    ])
  })

  test.each([
    [
      'a program over all answers',
      'prompts: ["{{q}}"]\ndefaultTest: {options: {transformVars: x}}\ntests: []',
      2,
      /"defaultTest": .*"transformVars"/,
      [],
    ],
    [
      'references that would grow without end',
      `a0: &a0 {${Array.from({ length: 1_100 }, (_, i) => `k${i}: 1`).join(', ')}}\nb:\n${'  - {<<: *a0}\n'.repeat(99)}prompts: ["{{q}}"]`,
      null,
      /^Write keys out instead of copying them/,
      [],
    ],
    ['a program as a prompt', 'prompts: [file://ask.py]\ntests: []', 1, /is a program or a table/, [yaml('ask.py', 'x')]],
    [
      'a judge',
      'prompts: ["{{q}}"]\ntests:\n  - vars: {q: a}\n    assert: [{type: llm-rubric, value: kind}]',
      3,
      /"llm-rubric" needs a judge/,
      [],
    ],
    [
      'a program over answers',
      'prompts: ["{{q}}"]\ntests:\n- vars: {q: a}\n  options: {transformVars: x}\n  assert: [{type: equals, value: b}]',
      3,
      /"transformVars"/,
      [],
    ],
    ['a file that was not sent', 'prompts: ["{{q}}"]\ntests: file://t.csv', 2, /was not sent/, []],
    ['tests from elsewhere', 'prompts: ["{{q}}"]\ntests: huggingface://datasets/x', 2, /are not fetched/, []],
    ['the environment', 'prompts: ["{{env.KEY}} {{q}}"]\ntests: []', 1, /uses the environment variable "KEY".*State it under "env"/, []],
    ['what is no YAML', 'prompts: ["a"\ntests: []', 2, /^Close the bracket that is open further up/, []],
  ])('is refused by line for %s', async (_, config, line, message, more) => {
    const record = await send('Refused configuration', yaml('promptfooconfig.yaml', config), ...more)
    expect(record).toMatchObject({ status: 'failed', source_ref: null })
    expect(record.errors[0]).toMatchObject({ line, file: 'promptfooconfig.yaml', message: expect.stringMatching(message) })
  })
})

describe('a task of lm-evaluation-harness', () => {
  const data = (count: number) =>
    lines(
      ...Array.from({ length: count }, (_, i) => ({
        question: ` What is ${i} plus ${i}? `,
        answer: `It is ${2 * i}.\n#### ${2 * i}`,
        n: 2 * i,
      })),
    )
  const task = [
    'task: sums',
    'dataset_path: someone/sums',
    'include: _base',
    'fewshot_split: train',
    'doc_to_text: "Question: {{question.strip()}}\\nAnswer:"',
    'doc_to_target: "{{answer.split(\'### \')[-1]}}"',
    'num_fewshot: 2',
    'filter_list:',
    '  - name: strict',
    '    filter:',
    '      - {function: regex, regex_pattern: "#### (\\\\-?[0-9]+)"}',
    '      - {function: take_first}',
    'metric_list:',
    '  - {metric: exact_match, aggregation: mean, higher_is_better: true, ignore_case: true, regexes_to_ignore: [",", "^#* ?"]}',
    '  - {metric: bertscore}',
  ].join('\n')
  const base =
    'description: "Sums.\\n\\n"\ntest_split: test\noutput_type: generate_until\ngeneration_kwargs: {until: ["Question:"], max_gen_toks: 64}\n'
  const send = (name: string, ...files: { name: string; content: string | Uint8Array<ArrayBuffer> }[]) =>
    importToEnd(service, { fields: { format: 'lm_eval_yaml', name }, files })

  test('is imported with its include, prompts, examples, filters and metrics, and can be run', async () => {
    const files = [
      { name: 'sums.yaml', content: task },
      { name: '_base', content: base },
      { name: 'test.jsonl', content: data(4) },
      { name: 'train.jsonl', content: data(9) },
    ]
    const record = await send('Harness sums', ...files)
    expect(record).toMatchObject({ status: 'imported', error_count: 0 })
    expect(record.preview[1]).toMatchObject({
      task_id: 'doc-1',
      input: 'Sums.\n\n\nQuestion: What is 1 plus 1?\nAnswer:',
      targets: ['2'],
    })
    expect(record.warnings.join(' ')).toMatch(/"bertscore".*the first of their file/)
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'harness-sums' } })
    expect(
      profiles.map(({ id, shots, generation, quote_availability }) => [id.split(':')[1], shots, generation, quote_availability.status]),
    ).toEqual([
      ['2-shot', 2, { temperature: 0, max_output_tokens: 64, stop: ['Question:'] }, 'ready_for_quote'],
      ['zero-shot', 0, { temperature: 0, max_output_tokens: 64, stop: ['Question:'] }, 'ready_for_quote'],
    ])
    expect(profiles[0]?.metrics).toMatchObject([{ id: 'exact_match_strict', scorer: 'lm_eval/exact_match', primary: true }])
    const { id } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [await profileId(service.client, 'harness-sums', '2-shot')],
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: {} })
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    expect(sample.messages[0]?.content).toMatch(
      /^Sums\.\n\nQuestion: What is 0 plus 0\?\nAnswer: 0\n\nQuestion: What is 1 plus 1\?\nAnswer: 2\n\nQuestion: What is \d plus \d\?\nAnswer:$/,
    )

    const changed = await send('Harness sums', { name: 'sums.yaml', content: task.replace('[0-9]+', '[0-9]*') }, ...files.slice(1))
    expect(changed).toMatchObject({ status: 'imported', already_present: false })
    expect(await send('Harness sums', ...files)).toMatchObject({ already_present: true, source_ref: record.source_ref })
  })

  test('with choices is measured by log-likelihood, or asked by letter', async () => {
    const content = [
      'task: pick',
      'output_type: multiple_choice',
      'test_split: test',
      'doc_to_text: "{{question}}"',
      'doc_to_choice: "{{[a, b]}}"',
      'doc_to_target: gold',
      'metric_list: [{metric: acc}, {metric: acc_norm}]',
    ].join('\n')
    const rows = lines({ question: 'Up?', a: "it's up", b: 'down', gold: 0 }, { question: 'Down?', a: 'up', b: 'down', gold: 1 })
    const record = await send('Harness choice', { name: 'pick.yaml', content }, { name: 'test.jsonl', content: rows })
    const byLetter = await profileId(service.client, 'harness-choice', 'by-letter')
    const quoted = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/echo' }, profiles: [byLetter] })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoted.id)).id)
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: {} })
    const asked = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    // It has no description, so nothing stands before the question.
    expect(asked.messages[0]?.content).toMatch(/^(?:Up|Down)\?\n/)
    expect(record.preview.map(({ targets, choices }) => [targets, choices])).toEqual([
      [['A'], ["it's up", 'down']],
      [['B'], ['up', 'down']],
    ])
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'harness-choice' } })
    expect(profiles.map(({ requires, metrics, chance_level }) => [requires, metrics.map(({ id }) => id), chance_level])).toEqual([
      [['loglikelihood'], ['acc', 'acc_norm'], 0.5],
      [['chat'], ['choice', 'inspect_choice'], 0.5],
    ])
    const ofLetters = profiles.find(({ id }) => id === byLetter)?.metrics.map(({ scorer, primary }) => [scorer, primary])
    expect(ofLetters).toEqual([
      ['assay/choice', true],
      ['inspect_ai/choice', false],
    ])
  })

  const small = (more: string) => `test_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: a\n${more}`
  test.each([
    ['Python by tag', small('process_docs: !function utils.go'), 4, /"process_docs" is "!function utils\.go", which is Python/],
    [
      'Python within a list',
      small('metric_list:\n  - metric: !function utils.score'),
      4,
      /None of its metrics can be imported: "utils\.score", because it is Python/,
    ],
    ['a program by name', small('process_results: go'), 4, /grades by a program/],
    ['a group without its tasks', 'group: all\ntask: [a, b]', 2, /names "a", which was not sent/],
    ['an include that is missing', small('include: base.yaml'), 4, /"base\.yaml", which was not sent/],
    [
      'an unknown filter of the template',
      'test_split: test\ndoc_to_target: a\ndoc_to_text: "{{q|shuffle}}"',
      3,
      /the filter "shuffle" is not read/,
    ],
    ['a function in the template', small('description: "{{cycler(9)}}"'), 4, /the function "cycler" is not read/],
    [
      'a filter pipeline that is not known',
      small('filter_list: [{name: m, filter: [{function: majority_vote}]}]'),
      4,
      /None of its filter pipelines .*"majority_vote" votes over several answers/,
    ],
    ['another kind of output', small('output_type: multi_turn'), 4, /"multi_turn"; generate_until, .* can be imported/],
    ['no metric that is known', small('metric_list: [{metric: bertscore}]'), 4, /None of its metrics/],
    ['an example that lacks what is named', small('num_fewshot: 1\nfewshot_config: {samples: [{a: y}]}'), 5, /Example 1 .*"q" is missing/],
    ['no prompt', 'test_split: test\ndoc_to_target: a', null, /"doc_to_text"/],
  ])('is refused by line for %s', async (_, content, line, message) => {
    const record = await send('Refused task', { name: 'task.yaml', content }, { name: 'test.jsonl', content: lines({ q: 'x', a: 'y' }) })
    expect(record).toMatchObject({ status: 'failed', source_ref: null })
    expect(record.errors[0]).toMatchObject({ line, file: 'task.yaml', message: expect.stringMatching(message) })
  })

  test('names the line of a document that lacks what the template names, and wants its data', async () => {
    const rows = lines({ q: 'x', a: 'y' }, { a: 'y' })
    const record = await send('Lacking', { name: 'task.yaml', content: small('') }, { name: 'test.jsonl', content: rows })
    expect(record.errors).toEqual([{ file: 'test.jsonl', line: 2, message: '"doc_to_text": "q" is missing.' }])
    const alone = await send('Alone', { name: 'task.yaml', content: small('') })
    expect(alone.errors[0]?.message).toMatch(/Send the data of "task" beside the task: the split "test"/)
  })

  test('reads an answer column as text before reading it as position', async () => {
    const rows = lines({ q: 'x', a: '1' }, { q: 'y', a: '[b]' })
    const plain = await send('As it is', { name: 'task.yaml', content: small('') }, { name: 'test.jsonl', content: rows })
    expect(plain.preview.map(({ targets }) => targets)).toEqual([['1'], ['[b]']])
    const content = small('output_type: multiple_choice\ndoc_to_choice: ["0", "2", "1"]')
    const chosen = await send(
      'By text',
      { name: 'task.yaml', content },
      { name: 'test.jsonl', content: lines({ q: 'x', a: '2' }, { q: 'y', a: 2 }) },
    )
    expect(chosen.preview.map(({ targets }) => targets)).toEqual([['B'], ['C']])
  })

  test('reads its data as Parquet too', async () => {
    const content = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'q', data: ['x', 'y'] },
          { name: 'a', data: [1n, 2n] },
        ],
      }),
    )
    const record = await send('From Parquet', { name: 'task.yaml', content: small('') }, { name: 'test-00000-of-00001.parquet', content })
    expect(record.preview.map(({ input, targets }) => [input, targets])).toEqual([
      ['x', ['1']],
      ['y', ['2']],
    ])
  })
})

test('a name that an environment has is not given away', async () => {
  await expect(land('jsonl', 'Grid puzzle', lines({ input: 'a', target: 'b' }))).rejects.toThrow(/is a benchmark that Assay knows/)
})
