import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { importAnswers } from '../support/answers.ts'
import { harnessOutput, type HarnessRun } from '../support/harness-output.ts'
import { makeTar } from '../support/make-tar.ts'
import { makeZip } from '../support/make-zip.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const results = (id: string) => service.client.call('getRunResults', { params: { run_id: id } })
const means = async (record: AnswerImport) =>
  Promise.all(
    record.runs.map(async ({ run_id, model, profile_id }) => {
      const { metrics } = await results(run_id)
      return [model, profile_id?.split('@')[0], metrics.find(({ primary }) => primary)?.estimate.mean]
    }),
  )

const first: HarnessRun = {
  model: 'org/small-1b',
  date: '2026-05-31T10-00-00.123456',
  tasks: [
    { task: 'gsm8k', right: [true, true, true, false] },
    { task: 'sums', right: [true, false] },
    { task: 'pick', right: [true, true, false], isChoice: true },
  ],
}
const second: HarnessRun = {
  ...first,
  model: 'org/large-70b',
  tasks: first.tasks.map(task => ({ ...task, right: task.right.map(() => true) })),
}

describe('an archive of lm-evaluation-harness output', () => {
  test('becomes a benchmark for each task and a run for each model and task, graded as the log says', async () => {
    const record = await importAnswers(service, {}, [
      { name: 'output.zip', content: makeZip([...harnessOutput(first), ...harnessOutput(second)]) },
    ])
    expect(record).toMatchObject({
      status: 'imported',
      format: 'lm_eval_samples',
      error_count: 0,
      warnings: [expect.stringContaining('"gsm8k"')],
      disagreements: [],
      rows: { read: 18, matched: 18 },
      tasks: { total: 9, answered: 9, missing: 0 },
      benchmarks: [
        { slug: 'gsm8k-log', title: 'gsm8k (log)', tasks: 4, already_present: false },
        { slug: 'pick', title: 'pick', tasks: 3, already_present: false },
        { slug: 'sums', title: 'sums', tasks: 2, already_present: false },
      ],
      models: [
        { model: 'org/large-70b', outputs: 9 },
        { model: 'org/small-1b', outputs: 9 },
      ],
    })
    expect(await means(record)).toEqual([
      ['org/large-70b', 'gsm8k-log', 1],
      ['org/large-70b', 'pick', 1],
      ['org/large-70b', 'sums', 1],
      ['org/small-1b', 'gsm8k-log', 0.75],
      ['org/small-1b', 'pick', 2 / 3],
      ['org/small-1b', 'sums', 0.5],
    ])
    // Two filters of two tasks and two metrics of one, for each model.
    expect(record.log_metrics).toHaveLength(12)
    expect(
      record.log_metrics.every(({ metric, log_mean, mean, disagreements }) => metric !== null && log_mean === mean && disagreements === 0),
    ).toBe(true)
    // The recipe's own benchmark is as it was.
    const { latest_version } = await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })
    expect(latest_version).toBeNull()
  })

  test('brings the same version again, also as tar.gz and where its results are next to it', async () => {
    const record = await importAnswers(service, {}, [{ name: 'small.tar.gz', content: gzipSync(makeTar(harnessOutput(first))) }])
    expect(record).toMatchObject({ status: 'imported', format: 'lm_eval_samples' })
    expect(record.benchmarks.map(({ slug, already_present }) => [slug, already_present])).toEqual([
      ['gsm8k-log', true],
      ['pick', true],
      ['sums', true],
    ])
    expect(record.runs).toHaveLength(3)
  })

  test('is told by its content where it is packed', async () => {
    const [samples] = harnessOutput(first).filter(({ name }) => name.includes('samples_sums'))
    for (const pack of [gzipSync, zstdCompressSync])
      expect(
        await importAnswers(service, { dry_run: 'true' }, [{ name: 'sums.jsonl', content: pack(samples?.content ?? '') }]),
      ).toMatchObject({ status: 'previewed', format: 'lm_eval_samples' })
  })

  test('is kept as figures where its results come without samples, and becomes no run', async () => {
    const results = {
      results: { pick: { 'acc,none': 0.75, 'acc_stderr,none': 0.25 } },
      configs: {},
      'n-samples': { pick: { effective: 4 } },
    }
    const content = Buffer.from(JSON.stringify({ ...results, model_name: first.model }))
    const sent = [{ name: 'results_2026-05-31T10-00-00.json', content }]
    for (const form of [{ dry_run: 'true' }, {}, { format: 'lm_eval_samples' }]) {
      const record = await importAnswers(service, form, sent)
      expect(record).toMatchObject({
        status: 'dry_run' in form ? 'previewed' : 'imported',
        error_count: 0,
        runs: [],
        benchmarks: [],
        rows: { read: 0 },
        warnings: [expect.stringContaining('figures without samples')],
      })
      expect(record.figures).toEqual([{ model: first.model, task: 'pick', metric: 'acc', value: 0.75, standard_error: 0.25, n: 4 }])
    }
  })

  test('is previewed with its benchmarks before anything is stored', async () => {
    const record = await importAnswers(service, { dry_run: 'true', name: 'Mine' }, [
      { name: 'o.zip', content: makeZip(harnessOutput(first)) },
    ])
    expect(record).toMatchObject({ status: 'previewed', runs: [] })
    expect(record.benchmarks.map(({ title, source_ref }) => [title, source_ref])).toEqual([
      ['Mine, gsm8k', null],
      ['Mine, pick', null],
      ['Mine, sums', null],
    ])
    expect(new Set(record.preview.map(({ input }) => input.replaceAll(/\d+/g, '')))).toHaveProperty('size', 3)
  })

  test('keeps the tasks of a group together, with results for each', async () => {
    const tasks = ['stem_a', 'stem_b', 'art'].map((task, i) => ({ task, right: [true, i === 0, false], isChoice: true }))
    const groups = { quiz: ['quiz_stem', 'quiz_arts'], quiz_stem: ['stem_a', 'stem_b'], quiz_arts: ['art'] }
    const record = await importAnswers(service, {}, [
      { name: 'quiz.zip', content: makeZip(harnessOutput({ ...first, tasks: [...tasks, { task: 'alone', right: [true] }], groups })) },
    ])
    expect(record.benchmarks.map(({ slug, tasks: count }) => [slug, count])).toEqual([
      ['alone', 1],
      ['quiz', 9],
    ])
    const { breakdowns } = await results(record.runs[1]?.run_id ?? '')
    expect(
      breakdowns
        .filter(({ metric }) => metric === 'acc')
        .map(({ dimension, value, estimate }) => [dimension, value, estimate.n, estimate.mean]),
    ).toEqual([
      ['group', 'quiz_arts', 3, 1 / 3],
      ['group', 'quiz_stem', 6, 0.5],
      ['subtask', 'art', 3, 1 / 3],
      ['subtask', 'stem_a', 3, 2 / 3],
      ['subtask', 'stem_b', 3, 1 / 3],
    ])
  })

  test('reads the position of the right choice where choices are numbers, and none where contexts are the choices', async () => {
    const tasks = [
      { task: 'contexts', right: [true, false], isChoice: true, choices: ['the same', 'the same'] },
      { task: 'numbers', right: [true, false, true], isChoice: true, choices: ['1', '0'] },
    ] as const
    const record = await importAnswers(service, {}, [{ name: 'n.zip', content: makeZip(harnessOutput({ ...first, tasks })) }])
    expect(record).toMatchObject({ status: 'imported', disagreements: [] })
    expect(
      record.log_metrics.filter(({ metric }) => metric === null).map(({ log_metric, reason }) => [log_metric, reason?.slice(0, 24)]),
    ).toEqual([
      ['acc,none', 'The choices are contexts'],
      ['acc_norm,none', 'The choices are contexts'],
    ])
    expect(record.log_metrics.filter(({ metric }) => metric !== null).map(({ log_mean, mean }) => [log_mean, mean])).toEqual([
      [2 / 3, 2 / 3],
      [2 / 3, 2 / 3],
    ])
  })

  test('without samples has figures in its record, which lists leave out', async () => {
    const sums = '{"acc,none": 0.5, "acc_stderr,none": -0.1, "f1,none": NaN, "em,none": 1e999}'
    const content = `{"results": {"sums": ${sums}}, "configs": {}, "model_name": "org/figures"}`
    const { id, figures, warnings } = await importAnswers(service, {}, [{ name: 'results_2026.json', content }])
    expect(figures).toMatchObject([{ model: 'org/figures', value: 0.5, standard_error: null }])
    expect(warnings).toContain('Left out, because they are not finite: sums f1, sums em.')
    const { items } = await service.client.call('listAnswerImports', { query: { limit: 1 } })
    expect(items).toMatchObject([{ id, status: 'imported' }])
    expect(items[0]).not.toHaveProperty('figures')
  })

  test('keeps two runs of one model apart', async () => {
    const again = { ...first, date: '2026-06-01T10-00-00.000001', tasks: [{ task: 'sums', right: [true, true] }] }
    const record = await importAnswers(service, {}, [
      {
        name: 'two.zip',
        content: makeZip([...harnessOutput({ ...first, tasks: [{ task: 'sums', right: [false, true] }] }), ...harnessOutput(again)]),
      },
    ])
    expect((await means(record)).map(([, , mean]) => mean)).toEqual([0.5, 1])
  })

  test.each([
    ['nothing of the kind', [{ name: 'a/notes.txt', content: Buffer.from('x') }], 'has no log in it'],
    ['a path that leaves it', [{ name: '../samples_a.jsonl', content: Buffer.from('{}') }], 'a name that is refused'],
    [
      'samples alone that are none',
      [{ name: 'samples_a.jsonl', content: Buffer.from('{"doc_id": 1}') }],
      'Send samples_*.jsonl as lm-evaluation-harness writes it',
    ],
  ])('with %s is refused', async (_, files, message) => {
    const record = await importAnswers(service, { format: 'lm_eval_samples' }, [{ name: 'bad.zip', content: makeZip(files) }])
    expect(record).toMatchObject({ status: 'failed', runs: [], benchmarks: [] })
    expect(record.errors[0]?.message).toContain(message)
  })
})
