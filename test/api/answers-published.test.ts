import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { makeZip } from '../support/make-zip.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { patience } from '../support/machine-speed.ts'

const shared = new URL('../../../shared/data/', import.meta.url)
const file = (path: string) => ({ name: path.split('/').at(-1) ?? '', content: new Uint8Array(readFileSync(new URL(path, shared))) })

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const results = (runId: string) => service.client.call('getRunResults', { params: { run_id: runId } })

describe.skipIf(!existsSync(shared))('published outputs (skipped where ../shared/data is absent)', () => {
  test('of BIG-Bench Hard give the files’ own totals under both prompts, and compare', { timeout: 240_000 * patience() }, async () => {
    const parts = readdirSync(new URL('bbh/', shared)).filter(name => name.endsWith('.json'))
    await importFiles(
      service,
      { recipe: 'bbh' },
      parts.map(name => file(`bbh/${name}`)),
    )
    const runs: string[] = []
    for (const [key, style, right] of [
      ['answer-only', 'direct', 3408],
      ['zero-shot', 'cot', 4816],
    ] as const) {
      const profile_id = await profileId(service.client, 'bbh', key)
      const record = await importAnswers(service, { profile_id, model: 'code-davinci-002' }, [
        file(`bbh/code-davinci-002-${style}.jsonl.gz`),
      ])
      expect(record).toMatchObject({
        status: 'imported',
        error_count: 0,
        rows: { read: 6511, matched: 6511, unmatched: 0 },
        tasks: { total: 6511, answered: 6511, missing: 0 },
        mapping: { index: 'index', group: 'task', output: 'output' },
      })
      const [run] = record.runs
      if (!run) throw new Error('The import made no run.')
      runs.push(run.run_id)
      const read = await service.client.call('getRun', { params: { run_id: run.run_id } })
      expect(read).toMatchObject({
        status: 'complete',
        answers: 'imported',
        quote_id: null,
        answers_digest: record.files[0]?.sha256,
        model: { kind: 'imported', title: 'code-davinci-002' },
        coverage: { full_benchmark: true, mode: 'full' },
        accounting: { state: 'none', charged_microusd: '0' },
      })
      const { metrics } = await results(run.run_id)
      const primary = metrics.find(metric => metric.metric === 'exact_match')
      expect(Math.round((primary?.estimate.mean ?? 0) * 6511)).toBe(right)
    }
    const [direct = '', cot = ''] = runs
    expect([direct, cot]).not.toContain('')
  })

  test('of Inspect become a benchmark and a run with the scores of the log', async () => {
    const record = await importAnswers(service, {}, [
      file('import/inspect/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval'),
    ])
    expect(record).toMatchObject({
      status: 'imported',
      format: 'inspect_log',
      benchmarks: [{ slug: 'popularity', tasks: 10, already_present: false }],
      models: [{ model: 'openai/gpt-4o-mini', outputs: 10 }],
      disagreements: [],
    })
    expect(record.log_metrics).toEqual([
      expect.objectContaining({ log_metric: 'match', metric: 'match', n: 10, log_mean: 0.8, mean: 0.8, disagreements: 0 }),
    ])
    const { metrics } = await results(record.runs[0]?.run_id ?? '')
    expect(metrics[0]).toMatchObject({ metric: 'match', estimate: { n: 10 } })
  })

  test.each(['log_formats.eval', 'log_formats.json'])('of Inspect in the form of %s are the same', async name => {
    const record = await importAnswers(service, { name: 'Formats' }, [file(`import/inspect/${name}`)])
    expect(record).toMatchObject({ status: 'imported', error_count: 0, disagreements: [], benchmarks: [{ slug: 'formats' }] })
    expect(record.log_metrics[0]).toMatchObject({ log_metric: 'match', metric: 'match', log_mean: 0, mean: 0, disagreements: 0 })
  })

  test('of Inspect that a model graded say so, beside what is graded here', async () => {
    const record = await importAnswers(service, {}, [file('import/inspect/2025-05-12T20-28-26-04-00_security-guide.json')])
    expect(record).toMatchObject({ status: 'imported', rows: { read: 3 }, disagreements: [] })
    expect(record.log_metrics).toEqual([
      expect.objectContaining({
        log_metric: 'model_graded_fact',
        metric: null,
        n: 3,
        log_mean: 1,
        reason: expect.stringContaining('A model graded it'),
      }),
    ])
  })

  test('of Inspect in one archive become a benchmark and a run for each log', async () => {
    const logs = [
      'log_formats.json',
      '2025-05-12T20-28-26-04-00_security-guide.json',
      '2025-05-12T20-28-13-04-00_no-samples.json',
      '2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval',
    ]
    const content = makeZip(logs.map(name => ({ name: `logs/${name}`, content: file(`import/inspect/${name}`).content })))
    const record = await importAnswers(service, {}, [{ name: 'logs.zip', content }])
    expect(record).toMatchObject({ status: 'imported', format: 'inspect_log', disagreements: [] })
    expect(record.warnings.join(' ')).toContain('no-samples.json" has no samples and was left out')
    expect(record.benchmarks.map(({ title, tasks }) => [title, tasks])).toEqual([
      ['popularity', 10],
      ['security_guide', 3],
    ])
    // Two logs are of the same task.
    expect(record.runs).toHaveLength(3)
  })

  test('of Inspect without samples are refused', async () => {
    const record = await importAnswers(service, {}, [file('import/inspect/2025-05-12T20-28-13-04-00_no-samples.json')])
    expect(record).toMatchObject({ status: 'failed', runs: [], benchmarks: [] })
    expect(record.errors[0]?.message).toContain('has no samples')
  })

  test('of promptfoo become a run for each provider', async () => {
    const record = await importAnswers(service, {}, [file('import/promptfoo/sample-export.v3.json')])
    expect(record).toMatchObject({ status: 'imported', disagreements: [] })
    expect(record.runs.map(({ model }) => model).sort()).toEqual(['openai:gpt-5', 'openai:gpt-5-mini'])
    const compared = record.log_metrics.filter(({ metric }) => metric !== null)
    expect(compared.map(({ n, log_mean, mean, disagreements }) => ({ n, log_mean, mean, disagreements }))).toEqual([
      { n: 1, log_mean: 1, mean: 1, disagreements: 0 },
      { n: 1, log_mean: 1, mean: 1, disagreements: 0 },
    ])
    expect(record.log_metrics.find(({ log_metric }) => log_metric === 'success')?.reason).toContain('cost, latency, llm-rubric')
  })

  test('of promptfoo with two prompts become a run for each of them', async () => {
    const record = await importAnswers(service, {}, [file('import/promptfoo/simple-cli.output.json')])
    expect(record).toMatchObject({ status: 'imported', rows: { read: 8 }, tasks: { total: 4 } })
    expect(record.runs).toHaveLength(2)
  })
})
