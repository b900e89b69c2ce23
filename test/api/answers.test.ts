import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersEnd, importAnswers, sendAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string
beforeAll(async () => {
  service = await startTestService()
  const tasks = Array.from({ length: 12 }, (_, i) => ({
    id: `t${i}`,
    question: `What is ${i} plus 1?`,
    answer: String(i + 1),
    level: i < 6 ? 'easy' : 'hard',
  }))
  const record = await importFiles(service, { format: 'jsonl', name: 'Sums', mapping: JSON.stringify({ groups: ['level'] }) }, [
    { name: 'sums.jsonl', content: lines(tasks) },
  ])
  expect(record.status).toBe('imported')
  profile = await profileId(service.client, 'sums', 'zero-shot')
})
afterAll(() => service.close())

const lines = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
const outputs = (rows: readonly unknown[], name = 'outputs.jsonl') => [{ name, content: lines(rows) }]
const all = (right: number) => Array.from({ length: 12 }, (_, i) => ({ task_id: `t${i}`, output: i < right ? String(i + 1) : 'no idea' }))
const runOf = (id: string) => service.client.call('getRun', { params: { run_id: id } })
const meanOf = async (id: string) => (await service.client.call('getRunResults', { params: { run_id: id } })).metrics[0]?.estimate.mean

describe('imported outputs', () => {
  test('become a run that is graded here, never charged, and listed like any other', async () => {
    const record = await importAnswers(service, { profile_id: profile, model: 'my-model', name: 'Brought' }, outputs(all(9)))
    expect(record).toMatchObject({
      status: 'imported',
      format: 'jsonl',
      rows: { read: 12, matched: 12 },
      tasks: { answered: 12, missing: 0 },
    })
    expect(record.preview[0]).toEqual({ line: 1, task_id: 't0', epoch: 1, model: 'my-model', input: 'What is 0 plus 1?', output: '1' })
    const [made] = record.runs
    const run = await runOf(made?.run_id ?? '')
    expect(run).toMatchObject({
      name: 'Brought',
      status: 'complete',
      answers: 'imported',
      quote_id: null,
      answers_digest: record.files[0]?.sha256,
      coverage: { mode: 'full', full_benchmark: true },
      accounting: { state: 'none', charged_microusd: '0', held_microusd: '0' },
      progress: { scored: 12, pending: 0, active: 0 },
    })
    expect(await meanOf(run.id)).toBe(0.75)
    const { items } = await service.client.call('listRuns', { query: { q: 'my-model' } })
    expect(items.map(({ id }) => id)).toContain(run.id)
    const samples = await service.client.call('listSamples', { params: { run_id: run.id }, query: {} })
    expect(samples.items).toHaveLength(12)
    const [sample] = samples.items
    const detail = await service.client.call('getSample', { params: { run_id: run.id, sample_id: sample?.id ?? '' } })
    expect(JSON.stringify(detail)).toContain('What is 0 plus 1?')
    const report = await service.fetch(`/v1/runs/${run.id}/export?format=html`)
    const html = await report.text()
    expect(html).toContain('imported from files')
    expect(html).toContain(record.files[0]?.sha256 ?? 'no digest')
    const results = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(results.reproducibility).toMatchObject({ quote_id: null, answers: { kind: 'imported', digest: record.files[0]?.sha256 } })
    expect(results.notices.map(({ code }) => code)).toContain('imported_answers')
    const job = await service.client.call('getJob', { params: { job_id: record.job_id } })
    expect(job).toMatchObject({ kind: 'answer_import', state: 'succeeded' })
  })

  test('of a model whose name mixes scripts are imported with a caution', async () => {
    const record = await importAnswers(service, { profile_id: profile, model: 'cl\u0430ude' }, outputs(all(3)))
    expect(record).toMatchObject({ status: 'imported', warnings: [expect.stringContaining('mixes Latin and Cyrillic letters')] })
  })

  test('compare with each other and with a model that was run here', async () => {
    const [a, b] = [
      await importAnswers(service, { profile_id: profile, model: 'a' }, outputs(all(9))),
      await importAnswers(service, { profile_id: profile, model: 'b' }, outputs(all(5))),
    ]
    const asked = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-100' }, profiles: [profile] })
    const here = await runToEnd(service.client, service.baseUrl, (await submit(service.client, asked.id)).id)
    const ids = [a.runs[0]?.run_id ?? '', b.runs[0]?.run_id ?? '', here.id]
    const comparison = await service.client.call('createComparison', { body: { name: 'All', run_ids: ids, baseline_id: ids[0] ?? '' } })
    const differences = comparison.differences.filter(({ primary }) => primary)
    expect(differences.map(({ contender_id, n }) => [contender_id, n])).toEqual(ids.slice(1).map(id => [id, 12]))
    expect(differences.map(({ difference }) => difference?.toFixed(4))).toEqual(['-0.3333', '0.2500'])
  })

  test('are regraded like others, and can not be asked again', async () => {
    const record = await importAnswers(service, { profile_id: profile, model: 'again' }, outputs(all(3)))
    const id = record.runs[0]?.run_id ?? ''
    await service.client.call('regradeRun', { params: { run_id: id }, body: {} })
    for (;;) {
      const { regrade, result_version: version } = await runOf(id)
      if (regrade === null) {
        expect(version).toBe(2)
        break
      }
    }
    const { items } = await service.client.call('listSamples', { params: { run_id: id }, query: {} })
    const refusal = await service.client.refusal('retrySamples', { params: { run_id: id }, body: { sample_ids: [items[0]?.id ?? ''] } })
    expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringContaining('were imported') })
  })

  test('make a run for each model, with epochs, missing cells and failures', async () => {
    const rows = [
      { id: 't0', response: '1', model: 'x', epoch: 1 },
      { id: 't0', response: 'no', model: 'x', epoch: 2 },
      { id: 't1', response: '2', model: 'x', epoch: 1 },
      { id: 't1', response: null, error: 'timeout', model: 'x', epoch: 2 },
      { id: 't2', response: '3', model: 'x', epoch: 1 },
      { id: 't0', response: '1', model: 'y', epoch: 1 },
      { id: 'other', response: '1', model: 'y', epoch: 1 },
    ]
    const record = await importAnswers(service, { profile_id: profile }, outputs(rows))
    expect(record).toMatchObject({
      status: 'imported',
      rows: { read: 7, matched: 6, unmatched: 1 },
      unmatched: [{ line: 7, key: 'other' }],
      tasks: { total: 12, answered: 3, missing: 9 },
      models: [
        { model: 'x', outputs: 5 },
        { model: 'y', outputs: 1 },
      ],
    })
    expect(record.missing_tasks).toEqual(['t3', 't4', 't5', 't6', 't7', 't8', 't9', 't10', 't11'])
    const [x, y] = await Promise.all(record.runs.map(({ run_id }) => runOf(run_id)))
    expect(x).toMatchObject({
      status: 'partial',
      coverage: { mode: 'exact', epochs: 2, full_benchmark: false },
      progress: { frozen: 6, scored: 4, failed: 1, missing: 1, pending: 0 },
    })
    expect(y).toMatchObject({ status: 'complete', progress: { frozen: 1, scored: 1 }, coverage: { epochs: 1 } })
  })

  test.each([
    ['questions', [{ question: ' What  is 3 plus 1?', answer: '4' }]],
    ['places from 0', all(12).map(({ output }, index) => ({ index, output }))],
    ['places from 1', all(12).map(({ output }, i) => ({ index: i + 1, output }))],
    ['places in groups', [{ group: 'hard', index: 0, output: '7' }]],
    ['lists of outputs', [{ task_id: 't0', outputs: ['1', '1', '1'] }]],
  ])('are matched by %s', async (_, rows) => {
    const record = await importAnswers(service, { profile_id: profile, model: 'm' }, outputs(rows))
    expect(record).toMatchObject({ status: 'imported', rows: { unmatched: 0 } })
    expect(await meanOf(record.runs[0]?.run_id ?? '')).toBe(1)
  })

  const batch = (body: object) => ({ custom_id: 't0', id: 'batch_req_1', response: { status_code: 200, body }, error: null })
  test.each<readonly [string, readonly object[], object]>([
    [
      'an answer beside a prediction',
      all(9).map(({ task_id, output }) => ({ task_id, answer: 'the reference', prediction: output })),
      { mean: 0.75 },
    ],
    [
      'ids of their own beside questions',
      Array.from({ length: 12 }, (_, i) => ({ id: `mine-${i}`, question: `What is ${i} plus 1?`, response: String(i + 1) })),
      { mean: 1, warning: 'No "id" is the id of a task, so rows are matched by "question".' },
    ],
    [
      'references taken for outputs',
      all(12).map(({ task_id, output }) => ({ task_id, answer: output, gpt4: 'x' })),
      { mean: 1, warning: 'Every "answer" is exactly the reference answer of its task' },
    ],
    [
      'a batch of OpenAI',
      [
        batch({
          model: 'gpt-x',
          choices: [{ message: { role: 'assistant', content: '1' } }],
          usage: { prompt_tokens: 3, completion_tokens: 1 },
        }),
      ],
      { mean: 1, model: 'gpt-x' },
    ],
    [
      'a batch of Anthropic',
      [
        {
          custom_id: 't0',
          result: {
            type: 'succeeded',
            message: { model: 'claude-x', content: [{ type: 'text', text: '1' }], usage: { input_tokens: 3, output_tokens: 1 } },
          },
        },
      ],
      { mean: 1, model: 'claude-x' },
    ],
  ])('are read with %s', async (_, rows, { mean, warning, model }: { mean?: number; warning?: string; model?: string }) => {
    const record = await importAnswers(service, { profile_id: profile }, outputs(rows))
    expect(record).toMatchObject({ status: 'imported', rows: { unmatched: 0 } })
    expect(await meanOf(record.runs[0]?.run_id ?? '')).toBe(mean)
    if (warning !== undefined) expect(record.warnings.join(' ')).toContain(warning)
    if (model !== undefined) expect(record.runs.map(run => run.model)).toEqual([model])
  })

  test('that failed in a batch are failures with their reason', async () => {
    const rows = [
      {
        custom_id: 't0',
        result: { type: 'errored', error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
      },
      { custom_id: 't1', id: 'b', response: null, error: { code: 'batch_expired', message: 'Expired' } },
      batchOf('t2'),
    ]
    const record = await importAnswers(service, { profile_id: profile, model: 'm' }, outputs(rows))
    const run = record.runs.find(({ model }) => model === 'm')
    expect((await runOf(run?.run_id ?? '')).progress).toMatchObject({ failed: 2, scored: 1 })
  })
  const batchOf = (custom_id: string) => ({ ...batch({ choices: [{ message: { content: '3' } }] }), custom_id })

  test.each([
    ['csv', 'outputs.csv', 'task_id,output,latency_ms\nt0,1,12.5\n'],
    ['json', 'outputs.json', '[{"task_id": "t0", "output": "1"}]'],
    ['jsonl', 'outputs.jsonl.gz', gzipSync('{"task_id": "t0", "output": "1", "prompt_tokens": 5, "completion_tokens": 1}')],
  ])('are read as %s', async (format, name, content) => {
    const record = await importAnswers(service, { profile_id: profile, model: 'm' }, [{ name, content }])
    expect(record).toMatchObject({ status: 'imported', format, rows: { matched: 1 } })
  })

  test('are only looked at by a dry run', async () => {
    const before = (await service.client.call('listRuns', { query: {} })).items.length
    const record = await importAnswers(service, { profile_id: profile, dry_run: 'true' }, outputs(all(2)))
    expect(record).toMatchObject({ status: 'previewed', runs: [], rows: { matched: 12 } })
    expect((await service.client.call('listRuns', { query: {} })).items.length).toBe(before)
  })

  test.each<readonly [string, readonly unknown[], string]>([
    [
      'two outputs for one epoch',
      [
        { task_id: 't0', output: 'a', epoch: 1 },
        { task_id: 't0', output: 'b', epoch: 1 },
      ],
      'The task "t0" has two outputs for epoch 1.',
    ],
    [
      'tasks of another benchmark',
      [{ task_id: 'x', output: 'a' }],
      'None of the 1 rows belongs to a task of the benchmark. Its task ids are like "t0".',
    ],
    ['places that are not clear', [{ index: 3, output: 'a' }], '"index_base" in "mapping"'],
    ['no output', [{ task_id: 't0', said: 'a' }], 'No column has a usual name for the output'],
    ['no task', [{ output: 'a' }], 'No column says which task a row answers.'],
    ['an epoch out of bounds', [{ task_id: 't0', output: 'a', epoch: 0 }], 'The epoch 0 is not between 1 and 100.'],
    ['a token count in words', [{ task_id: 't0', output: 'a', input_tokens: 'many' }], 'must be a whole number, not "many"'],
  ])('are refused with %s, and nothing is left behind', async (_, rows, message) => {
    const record = await importAnswers(service, { profile_id: profile, model: 'bad' }, outputs(rows))
    expect(record).toMatchObject({ status: 'failed', runs: [] })
    expect(record.errors[0]?.message).toContain(message)
    expect((await service.client.call('listRuns', { query: { q: 'bad' } })).items).toEqual([])
  })

  test.each([
    [{ model: 'm' }, 'outputs.jsonl', 'cannot be detected from the files'],
    [{ format: 'jsonl' }, 'outputs.jsonl', 'says what was answered'],
    [{ profile_id: 'nothing@1:x' }, 'outputs.jsonl', 'nothing@1:x'],
    [{ format: 'inspect_log', profile_id: 'PROFILE' }, 'log.eval', 'brings its own tasks'],
    [{ profile_id: 'PROFILE', mapping: '{' }, 'outputs.jsonl', 'must be a JSON object'],
  ])('are refused at once for a form that does not fit: %j', async (fields, name, message) => {
    const form = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value === 'PROFILE' ? profile : value]))
    const reply = await sendAnswers(service, form, [{ name, content: '{}' }])
    expect([404, 422]).toContain(reply.status)
    expect(await reply.text()).toContain(message)
  })

  test('of one key and form are one import', async () => {
    const send = (rows: readonly unknown[]) =>
      sendAnswers(service, { profile_id: profile, model: 'once' }, outputs(rows), { 'idempotency-key': 'one-key' })
    const first: { id: string } = JSON.parse(await (await send(all(1))).text())
    const second: { id: string } = JSON.parse(await (await send(all(1))).text())
    expect(second.id).toBe(first.id)
    expect((await send(all(2))).status).toBe(422)
    await answersEnd(service, first.id)
    const { items } = await service.client.call('listAnswerImports', { query: { limit: 1 } })
    expect(items).toHaveLength(1)
  })
})

describe('samples of lm-evaluation-harness', () => {
  const filters = [
    { name: 'strict-match', filter: [{ function: 'regex', regex_pattern: '#### (\\-?[0-9\\.\\,]+)' }, { function: 'take_first' }] },
    {
      name: 'flexible-extract',
      filter: [{ function: 'regex', group_select: -1, regex_pattern: '(-?[$0-9.,]{2,})|(-?[0-9]+)' }, { function: 'take_first' }],
    },
  ]
  const options = {
    metric: 'exact_match',
    aggregation: 'mean',
    higher_is_better: true,
    ignore_case: true,
    ignore_punctuation: false,
    regexes_to_ignore: [',', '\\$', '(?s).*#### ', '\\.$'],
  }
  const results = JSON.stringify({
    results: { sums: { 'exact_match,strict-match': 0.5, 'exact_match,flexible-extract': 1 } },
    configs: { sums: { task: 'sums', output_type: 'generate_until', filter_list: filters, metric_list: [options], repeats: 1 } },
    model_name: 'org/model',
    config: { model: 'hf' },
    note: Number.NaN,
  }).replace('"note":null', '"note":NaN')
  const sample = (doc_id: number, reply: string, filter: string, value: number) => ({
    doc_id,
    doc: { question: `q${doc_id}`, answer: '#### 18' },
    target: '#### 18',
    arguments: { gen_args_0: { arg_0: `Question: q${doc_id}\nAnswer:`, arg_1: { until: ['\n\n'] } } },
    resps: [[reply]],
    filtered_resps: ['18'],
    filter,
    metrics: ['exact_match'],
    doc_hash: 'a',
    prompt_hash: 'b',
    target_hash: 'c',
    exact_match: value,
  })
  const rows = [
    sample(0, 'So 18.\n#### 18', 'strict-match', 1),
    sample(0, 'So 18.\n#### 18', 'flexible-extract', 1),
    sample(1, 'I think it is 18', 'strict-match', 0),
    sample(1, 'I think it is 18', 'flexible-extract', 1),
  ]
  const name = 'samples_sums_2026-11-20T10-00-00.123456.jsonl'
  const files = [
    { name, content: lines(rows) },
    { name: 'results_2026-11-20T10-00-00.123456.json', content: results },
  ]

  test('become one sample of two scores for a document under two filters, without a disagreement', async () => {
    const record = await importAnswers(service, {}, files)
    expect(record).toMatchObject({
      status: 'imported',
      format: 'lm_eval_samples',
      rows: { matched: 2 },
      models: [{ model: 'org/model' }],
      disagreements: [],
    })
    expect(
      record.log_metrics.map(({ log_metric, metric, log_mean, mean, disagreements }) => [
        log_metric,
        metric,
        log_mean,
        mean,
        disagreements,
      ]),
    ).toEqual([
      ['exact_match,strict-match', 'exact_match_strict-match', 0.5, 0.5, 0],
      ['exact_match,flexible-extract', 'exact_match_flexible-extract', 1, 1, 0],
    ])
  })

  test('list a sample whose score differs, with ours and why', async () => {
    const changed = rows.map((row, i) => (i === 2 ? { ...row, exact_match: 1 } : row))
    const record = await importAnswers(service, { name: 'Changed' }, [
      { name, content: lines(changed) },
      files[1] ?? { name: '', content: '' },
    ])
    expect(record.disagreements).toEqual([
      expect.objectContaining({
        task_id: '1',
        log_metric: 'exact_match,strict-match',
        log_value: 1,
        value: 0,
        metric: 'exact_match_strict-match',
      }),
    ])
    expect(record.disagreements[0]?.explanation).not.toBe('')
  })

  test('say what is missing where the results file was not sent', async () => {
    const record = await importAnswers(service, { name: 'Alone' }, files.slice(0, 1))
    expect(record.log_metrics.map(({ metric, reason }) => [metric, reason])).toEqual([
      [null, 'How the filter "strict-match" works is not in the samples; send the results file as well.'],
      [null, 'How the filter "flexible-extract" works is not in the samples; send the results file as well.'],
    ])
  })

  test('measure likelihoods again where the task has choices', async () => {
    const row = {
      doc_id: 0,
      doc: { question: 'q' },
      target: '1',
      arguments: { gen_args_0: { arg_0: 'q', arg_1: ' red' }, gen_args_1: { arg_0: 'q', arg_1: ' blue' } },
      resps: [[['-3.5', 'False']], [['-1.25', 'True']]],
      filtered_resps: [
        ['-3.5', 'False'],
        ['-1.25', 'True'],
      ],
      filter: 'none',
      metrics: ['acc', 'acc_norm'],
      acc: 1,
      acc_norm: 1,
    }
    const record = await importAnswers(service, { name: 'Choices' }, [
      { name: 'samples_colors_2026-11-20T10-00-00.jsonl', content: lines([row]) },
    ])
    expect(record).toMatchObject({ status: 'imported', disagreements: [] })
    expect(record.log_metrics.map(({ log_metric, mean }) => [log_metric, mean])).toEqual([
      ['acc,none', 1],
      ['acc_norm,none', 1],
    ])
  })
})
