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
import { importFiles } from '../support/imports.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { allot, oneEach, pricedRoute } from '../support/priced-quote.ts'
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

const regradeEnd = async (runId: string) => {
  const { items } = await service.client.call('listJobs', { query: { kind: 'regrade' } })
  const job = items.find(({ subject }) => subject?.id === runId)
  await jobEnd(service.client, job?.id ?? '')
  return service.client.call('getJob', { params: { job_id: job?.id ?? '' } })
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

  test('caution where a judge grades a model of its own family: in quote, result, report and comparison', async () => {
    const { judge, id } = await judgeOf(() => 'VERDICT: pass', { model: 'gpt-6-mini' })
    const models = await startModelServer({ answers: () => '#### 13' })
    const judged = async (model: string) => {
      const connection_id = await connectJudge(service.client, models, { model })
      const made = await quote(service.client, {
        model: { kind: 'connection', connection_id },
        profiles: [profile],
        coverage: { mode: 'sample', sample_count: 4, seed: 1 },
        execution: { evaluators: [id] },
      })
      const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, made.id)).id)
      return { made, run, results: await service.client.call('getRunResults', { params: { run_id: run.id } }) }
    }
    const own = await judged('openai/gpt-6')
    const other = await judged('claude-6')
    await models.close()
    await judge.close()
    const caution = expect.stringContaining('both of the family OpenAI')
    expect(own.made.warnings).toContainEqual({ code: 'judge_of_same_family', message: caution })
    expect(own.results.metrics.find(metric => metric.evaluator)?.evaluator?.self_preference).toEqual(caution)
    expect(own.results.notices).toContainEqual({ code: 'judge', message: caution })
    const html = await service.fetch(`/v1/runs/${own.run.id}/export?format=html`)
    expect(await html.text()).toContain('both of the family OpenAI')
    const comparison = await service.client.call('createComparison', {
      body: { name: 'families', run_ids: [own.run.id, other.run.id], baseline_id: other.run.id },
    })
    expect(JSON.stringify(comparison)).toContain('both of the family OpenAI')
    expect(other.made.warnings.map(({ code }) => code)).not.toContain('judge_of_same_family')
    expect(other.results.metrics.find(metric => metric.evaluator)?.evaluator?.self_preference).toBeNull()
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
    ).toMatchObject({ code: 'illegal_transition' })
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

describe('a judge that the wallet pays', () => {
  test('is held, charged by its calls and released: in a calibration, a run and a regrade', async () => {
    const { client, baseUrl } = service
    const { models, routeId } = await pricedRoute(service, oneEach, { answers: () => 'VERDICT: pass' })
    const judge = { model: { kind: 'managed', route_id: routeId } }
    const { id } = await saveJudge(client, '', { judges: [judge] })
    const examples = Array.from({ length: 30 }, (_, i) => ({ input: `Q${i}`, output: 'x', label: i % 2 ? 'pass' : 'fail' }))
    const { versionId } = await labeledVersion(service, { task: 'answer' }, examples)
    const request = { evaluator_version_id: id, dataset_version_id: versionId, max_charge_microusd: '1000000' }
    expect(await client.refusal('createCalibration', { body: request })).toMatchObject({ status: 402, code: 'insufficient_credit' })
    await allot(service, '10000000')
    const chargedBy = async (work: () => Promise<void>) => {
      const before = await client.call('getWallet', {})
      await work()
      const after = await client.call('getWallet', {})
      expect(after.held_microusd).toBe(before.held_microusd)
      return BigInt(before.available_microusd) - BigInt(after.available_microusd)
    }
    let spent = ''
    const calibration = await chargedBy(async () => {
      const found = await calibrated(client, request)
      expect(found).toMatchObject({ status: 'resolved', n: 30, spending: { calls: 30, provider_billed_microusd: '0' } })
      spent = found.spending.charged_microusd
    })
    expect(calibration).toBeGreaterThan(0n)
    expect(spent).toBe(String(calibration))

    const free = {
      model: echo,
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 6, seed: 1 } as const,
      execution: { evaluators: [id] },
    }
    const { cost } = await quote(client, free)
    expect(BigInt(cost.upper_bound_microusd)).toBeGreaterThan(0n)
    let runId = ''
    let runCharge = ''
    const byRun = await chargedBy(async () => {
      const made = await quote(client, { ...free, maxCharge: cost.upper_bound_microusd })
      const run = await runToEnd(client, baseUrl, (await submit(client, made.id)).id)
      expect(run).toMatchObject({ status: 'complete', accounting: { state: 'settled', provider_billed_microusd: '0' } })
      ;({ id: runId } = run)
      runCharge = run.accounting.charged_microusd
    })
    expect(byRun).toBeGreaterThan(0n)
    expect(byRun).toBeLessThan(BigInt(cost.upper_bound_microusd))
    expect(runCharge).toBe(String(byRun))

    const again = await saveJudge(client, '', { judges: [judge], instructions: 'Is it a number?' })
    const byRegrade = await chargedBy(async () => {
      const params = { run_id: runId }
      const quoted = await client.call('createRegradeQuote', {
        params,
        body: { evaluator_version_id: again.id, max_charge_microusd: '1000000' },
      })
      expect(quoted.judge_calls).toBe(6)
      await client.call('regradeRun', { params, body: { evaluator_version_id: again.id, regrade_quote_id: quoted.id } })
      expect(await regradeEnd(runId)).toMatchObject({ state: 'succeeded' })
    })
    await models.close()
    expect(byRegrade).toBeGreaterThan(0n)
    expect(await sound(service.dataDir)).toEqual([])
  })

  test('costs no more than the quote says, also where it is shown long references', async () => {
    const { client } = service
    const priced = await pricedRoute(service, oneEach, { answers: () => 'VERDICT: pass' })
    await allot(service, '5000000')
    const ids = ['t0', 't1', 't2', 't3']
    const lines = ids.map(id =>
      JSON.stringify({ id, input: `Question ${id}, long enough to be one`, target: `${id} ${'long '.repeat(3000)}` }),
    )
    const mapping = JSON.stringify({ id: 'id', input: 'input', target: 'target' })
    const { source_ref } = await importFiles(service, { format: 'jsonl', name: 'references', mapping }, [
      { name: 'references.jsonl', content: lines.join('\n') },
    ])
    const judges = [{ model: { kind: 'managed', route_id: priced.routeId } }]
    const { id } = await saveJudge(client, '', { judges, reference: 'expected', explanation: 'none' })
    const body = {
      model: echo,
      task_selections: [{ source_ref: source_ref ?? '', split: 'test' as const, task_ids: ids }],
      execution: { evaluators: [id], max_output_tokens: 64 },
    }
    const quoted = await client.call('quoteEvaluation', { body: { ...body, max_charge_microusd: '1' } })
    expect(quoted.warnings.map(({ code }) => code)).toContain('cap_below_upper_bound')
    const most = quoted.cost.upper_bound_microusd
    const { run_id } = await client.call('createEvaluation', { body: { name: 'references', ...body, max_charge_microusd: most } })
    const { accounting } = await runToEnd(client, service.baseUrl, run_id)
    const { metrics } = await client.call('getRunResults', { params: { run_id } })
    await priced.models.close()
    expect(metrics.find(metric => metric.evaluator)).toMatchObject({ unscored: 0, estimate: { n: 4 } })
    expect(BigInt(accounting.charged_microusd)).toBeLessThanOrEqual(BigInt(most))
  })
})

test('the database passes its integrity check afterwards', () => {
  const { findings } = examine({ dataDir: service.dataDir, backup: false, now: new Date() })
  expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
})
