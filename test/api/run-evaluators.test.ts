import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../src/service/doctor/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import {
  calibrated,
  connectJudge,
  jobEnd,
  labeledVersion,
  materialOf,
  saveJudge,
  type ScriptedJudge,
  startJudge,
} from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { type TestService, startTestService } from '../support/service.ts'

let service: TestService
let profile = ''
beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

const echo = { kind: 'managed', route_id: 'assay/echo' } as const

async function finishedRun(evaluators: string[] = []) {
  const { client, baseUrl } = service
  const made = await quote(client, {
    model: echo,
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 12, seed: 1 },
    execution: { evaluators },
  })
  const { id } = await submit(client, made.id)
  const run = await runToEnd(client, baseUrl, id)
  return { made, run, results: await client.call('getRunResults', { params: { run_id: id }, query: {} }) }
}

const judgeOf = async (reply: Parameters<typeof startJudge>[0], options: Parameters<typeof connectJudge>[2] = {}) => {
  const judge = await startJudge(reply)
  const { id } = await saveJudge(service.client, await connectJudge(service.client, judge, options))
  return { judge, id }
}

const sound = async (dataDir: string) => {
  const db = openDatabase(`${dataDir}/assay.db`, { readonly: true })
  const faults = db.prepare("select b.owner_id from judge_budgets b where b.is_open = 1 and b.owner_kind <> 'run'").all()
  db.close()
  return faults
}

describe('evaluators in a quote', () => {
  test('add metrics with their calibration, count judge calls, and leave the profile’s own metrics alone', async () => {
    const { judge, id } = await judgeOf(chat => `VERDICT: ${/\d/.test(materialOf(chat)[1] ?? '') ? 'pass' : 'fail'}`)
    const deterministic = await service.client.call('createEvaluator', {
      body: { name: 'Has a digit', definition: { kind: 'deterministic', scorer: 'assay/pattern', options: { pattern: '\\d' } } },
    })
    const { made, run, results } = await finishedRun([id, deterministic.id])
    await judge.close()
    expect(made.counts.judge_calls).toBe(12)
    expect(made.cost.components.find(({ kind }) => kind === 'judge_calls')).toMatchObject({ quantity: 12, unit: 'call' })
    expect(run.status).toBe('complete')
    const own = results.metrics.filter(metric => metric.evaluator === undefined && metric.attempts === undefined)
    expect(own.length).toBeGreaterThan(0)
    const judged = results.metrics.find(metric => metric.evaluator?.judged)
    expect(judged).toMatchObject({
      scorer: 'assay/evaluator',
      unscored: 0,
      estimate: { n: 12, mean: 1, interval: { method: 'wilson' } },
      evaluator: { statement: 'judge score, not calibrated' },
    })
    expect(results.metrics.find(metric => metric.title === 'Has a digit')).toMatchObject({
      estimate: { mean: 1 },
      evaluator: { statement: 'evaluator score, not calibrated' },
    })
    expect(judge.asked).toHaveLength(12)
    // The judge sees what the model was asked.
    expect(materialOf(judge.asked[0] ?? { messages: [] })[0]?.length).toBeGreaterThan(20)
    const html = await service.fetch(`/v1/runs/${run.id}/export?format=html`)
    expect(await html.text()).toContain('judge score, not calibrated')
  })

  test('go without a verdict where the judge fails, with the reason, and the run completes', async () => {
    const { judge, id } = await judgeOf(() => ({ status: 401 }))
    const { run, results } = await finishedRun([id])
    await judge.close()
    expect(run.status).toBe('complete')
    expect(results.metrics.find(metric => metric.evaluator)).toMatchObject({ unscored: 12, estimate: { n: 0, mean: null } })
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    expect(sample.score_details.at(-1)).toMatchObject({
      value: null,
      class: 'unscored',
      explanation: expect.stringContaining("can't be used"),
    })
  })

  test('are refused where they are unknown or compare pairs', async () => {
    const ask = (id: string) =>
      service.client.refusal('createQuote', {
        body: {
          model: echo,
          selection: { profile_ids: [profile] },
          coverage: { mode: 'full' },
          max_charge_microusd: '0',
          execution: { evaluators: [id] },
        },
      })
    expect((await ask('0190c4f0-0000-7000-8000-000000000001')).code).toBe('validation_error')
    const { judge } = await judgeOf(() => 'x')
    const pairwise = await saveJudge(service.client, await connectJudge(service.client, judge), { mode: 'pairwise', menu: [] })
    await judge.close()
    expect(await ask(pairwise.id)).toMatchObject({ code: 'validation_error', message: expect.stringContaining('compares two outputs') })
  })
})

describe('a regrade by an evaluator', () => {
  let judge: ScriptedJudge
  let evaluator = ''
  beforeAll(async () => {
    const made = await judgeOf((_, n) => `VERDICT: ${n % 3 === 0 ? 'fail' : 'pass'}`, { priced: true, concurrency: 2 })
    judge = made.judge
    evaluator = made.id
  })
  afterAll(() => judge.close())
  const regradeEnd = async (runId: string) => {
    const { items } = await service.client.call('listJobs', { query: { kind: 'regrade' } })
    const job = items.find(({ subject }) => subject?.id === runId)
    await jobEnd(service.client, job?.id ?? '')
    return service.client.call('getJob', { params: { job_id: job?.id ?? '' } })
  }

  test('needs a quote, adds its metric, and leaves every other score as it is', async () => {
    const { client } = service
    const { run, results: before } = await finishedRun()
    const params = { run_id: run.id }
    expect(await client.refusal('regradeRun', { params, body: { evaluator_version_id: evaluator } })).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('regrade-quotes'),
    })
    expect((await client.refusal('regradeRun', { params, body: { evaluator_version_id: evaluator, metrics: [] } })).code).toBe(
      'validation_error',
    )
    const quoted = await client.call('createRegradeQuote', {
      params,
      body: { evaluator_version_id: evaluator, max_charge_microusd: '1000000' },
    })
    expect(quoted).toMatchObject({ outputs: 12, judge_calls: 12, estimated_microusd: expect.stringMatching(/^[1-9]/) })
    await client.call('regradeRun', { params, body: { evaluator_version_id: evaluator, regrade_quote_id: quoted.id } })
    expect(await regradeEnd(run.id)).toMatchObject({ state: 'succeeded' })
    const after = await client.call('getRunResults', { params, query: {} })
    expect(after.result_version).toBe(2)
    const plain = (metrics: typeof after.metrics) => metrics.filter(metric => !metric.evaluator)
    expect(plain(after.metrics)).toEqual(plain(before.metrics))
    expect(after.metrics.find(metric => metric.evaluator)).toMatchObject({
      estimate: { n: 12, mean: 8 / 12, interval: { method: 'wilson' } },
    })
    expect((await client.call('getRunResults', { params, query: { version: 1 } })).metrics).toEqual(before.metrics)
    expect(
      await client.refusal('regradeRun', { params, body: { evaluator_version_id: evaluator, regrade_quote_id: quoted.id } }),
    ).toMatchObject({ code: 'conflict' })
    // A regrade by the own metrics carries the judge's scores over and calls nobody.
    const asked = judge.asked.length
    await client.call('regradeRun', { params, body: {} })
    expect(await regradeEnd(run.id)).toMatchObject({ state: 'succeeded' })
    const third = await client.call('getRunResults', { params, query: {} })
    expect(third.metrics.find(metric => metric.evaluator)?.estimate).toEqual(after.metrics.find(metric => metric.evaluator)?.estimate)
    expect(judge.asked).toHaveLength(asked)
    expect(await sound(service.dataDir)).toEqual([])
  })

  test('stops at its spending limit, and the run keeps the result it had', async () => {
    const { client } = service
    const { run } = await finishedRun()
    const params = { run_id: run.id }
    const quoted = await client.call('createRegradeQuote', {
      params,
      body: { evaluator_version_id: evaluator, max_charge_microusd: '5000' },
    })
    await client.call('regradeRun', { params, body: { evaluator_version_id: evaluator, regrade_quote_id: quoted.id } })
    expect(await regradeEnd(run.id)).toMatchObject({ state: 'failed', error: { code: 'spending_limit_reached' } })
    expect(await client.call('getRun', { params })).toMatchObject({ result_version: 1, regrade: null })
    expect(await sound(service.dataDir)).toEqual([])
  })

  test('says what its calibration said, and corrects the rate by it', async () => {
    const examples = Array.from({ length: 60 }, (_, i) => ({
      input: `Question ${i}`,
      output: i % 2 ? 'good' : 'bad',
      label: i % 2 ? 'pass' : 'fail',
    }))
    const { versionId } = await labeledVersion(service, { task: 'answer' }, examples)
    const { judge: fair, id } = await judgeOf(chat => `VERDICT: ${materialOf(chat)[1] === 'bad' ? 'fail' : 'pass'}`)
    await calibrated(service.client, { evaluator_version_id: id, dataset_version_id: versionId })
    const { results } = await finishedRun([id])
    await fair.close()
    const metric = results.metrics.find(one => one.evaluator)
    expect(metric?.evaluator).toMatchObject({
      judged: true,
      statement: expect.stringMatching(/^calibrated on 60 labeled examples: usable, agreement 1\.00/),
      rates: { sensitivity: 1, positives: 30 },
    })
    expect(metric?.evaluator?.corrected_pass_rate).toMatchObject({ mean: 1, low: expect.any(Number) })
  })
})

test('the database is sound after all of it', () => {
  const { findings } = examine({ dataDir: service.dataDir, backup: false, now: new Date() })
  expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
})
