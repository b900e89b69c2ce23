import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

const read = (id: string) => service.client.call('getRun', { params: { run_id: id } })
const resultsOf = (id: string, version?: number) =>
  service.client.call('getRunResults', { params: { run_id: id }, query: version === undefined ? {} : { version } })

describe('counts', () => {
  test('say what was processed and what failed, and why the run is partial', async () => {
    const { run, models } = await scriptedRun(service, profile, { samples: 6, faults: ['server-error', 'ok', 'server-error'] })
    expect(run).toMatchObject({ status: 'partial', progress: { frozen: 6, scored: 4, failed: 2, completed: 6, errors: 2, retries: 0 } })
    expect(run.stop_reason).toEqual({
      code: 'samples_failed',
      message: '2 of 6 samples have no score: 2 × Provider error.',
    })
    const results = await resultsOf(run.id)
    expect(results.stop_reason).toEqual(run.stop_reason)
    expect(results.metrics.filter(metric => metric.primary).map(metric => metric.unscored)).toEqual([2])
    await models.close()
  })

  test('leave out what was never processed', async () => {
    const { run, models } = await scriptedRun(service, profile, { samples: 6, faults: ['ok', 'ok', 'bad-key'] })
    expect(run).toMatchObject({ status: 'partial', stop_reason: { code: 'credential_refused' } })
    const { scored, failed, missing, completed, errors } = run.progress
    expect(scored).toBe(2)
    expect(missing).toBeGreaterThan(0)
    expect(scored + failed + missing).toBe(6)
    expect([completed, errors]).toEqual([scored + failed, failed])
    await models.close()
  })

  test('give a reason for a run of which nothing was scored', async () => {
    const { run, models } = await scriptedRun(service, profile, { samples: 2, faults: ['server-error', 'server-error'] })
    expect(run).toMatchObject({ status: 'failed', stop_reason: { code: 'samples_failed' }, progress: { completed: 2, errors: 2 } })
    await models.close()
  })

  test('of retries are the same in the run and its result, over parts and their failures', async () => {
    const error = 'half-an-answer'
    const { run, models } = await scriptedRun(service, profile, {
      samples: 3,
      execution: { max_attempts: 2 },
      // Five of the six calls fail, whichever sample they are of; then one of two in the first part, and none in the second.
      faults: [error, error, error, error, error, 'ok', error, 'ok'],
    })
    expect(run).toMatchObject({ status: 'partial', progress: { scored: 1, failed: 2, retries: 3 } })
    expect((await resultsOf(run.id)).usage).toMatchObject({ model_calls: 6, retries: 3 })
    for (const [retries, status] of [
      [5, 'partial'],
      [6, 'complete'],
    ] as const) {
      const part = await service.client.call('retryFailed', { params: { run_id: run.id } })
      await runToEnd(service.client, service.baseUrl, part.id)
      const now = await read(run.id)
      expect(now).toMatchObject({ status, progress: { retries } })
      expect(now.stop_reason?.code ?? null).toBe(status === 'partial' ? 'samples_failed' : null)
      expect((await resultsOf(run.id, now.result_version ?? undefined)).usage).toMatchObject({ retries, model_calls: 3 + retries })
    }
    // The first call was the connection's check.
    expect(models.requests()).toBe(1 + 3 + 6)
    await models.close()
  })
})

describe('what is unknown', () => {
  test('is null, not 0: bills without rates, tokens without usage', async () => {
    const models = await startModelServer({ answers: () => '#### 13', usage: false })
    const { id } = await service.client.call('createConnection', { body: { name: 'silent', base_url: models.baseUrl, model: 'replay' } })
    await service.client.call('checkConnection', { params: { connection_id: id } })
    const quoted = await quote(service.client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    expect(quoted.cost).toMatchObject({
      provider_billed_estimate_microusd: null,
      provider_billed_upper_bound_microusd: null,
      sample_upper_bound_microusd: null,
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoted.id)).id)
    expect(run.accounting.provider_billed_microusd).toBeNull()
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    expect(sample.attempt_log.map(attempt => [attempt.provider_billed_microusd, attempt.charged_microusd])).toEqual([[null, '0']])
    const { usage } = await resultsOf(run.id)
    expect(usage).toMatchObject({ input_tokens: null, tokens_counted_by: 'tokenizer' })
    expect(usage.output_tokens).toBeGreaterThan(0)
    await models.close()
  })
})

describe('a replay', () => {
  test('of a run or an evaluation says that it is one', async () => {
    const { id: quoteId } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    const { items } = await service.client.call('listTasks', {
      query: {
        source_ref:
          (await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).latest_version?.source_ref ?? '',
      },
    })
    const [task] = items
    const evaluation = {
      name: 'twice',
      model: { kind: 'managed', route_id: 'assay/echo' },
      task_selections: [{ source_ref: task?.source_ref, split: task?.split, task_ids: [task?.task_id] }],
      max_charge_microusd: '0',
    }
    for (const [path, body] of [
      ['/v1/runs', { quote_id: quoteId, name: 'twice' }],
      ['/v1/evaluations', evaluation],
    ] as const) {
      const post = () =>
        service.fetch(path, {
          method: 'POST',
          headers: {
            ...service.client.headers,
            'content-type': 'application/json',
            'idempotency-key': `twice ${path}`.replaceAll(' ', '-'),
          },
          body: JSON.stringify(body),
        })
      const [first, second] = [await post(), await post()]
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null])
      expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([202, 'true'])
      await second.text()
      await first.text()
    }
  })
})

describe('refusals', () => {
  test('of a result or export before the end is 409 for any version', async () => {
    let delayMs = 0
    const models = await startModelServer({ answers: () => '#### 13', delayMs: () => delayMs })
    const { id: connection } = await service.client.call('createConnection', {
      body: { name: 'stuck', base_url: models.baseUrl, model: 'replay' },
    })
    await service.client.call('checkConnection', { params: { connection_id: connection } })
    const { id: quoteId } = await quote(service.client, {
      model: { kind: 'connection', connection_id: connection },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    delayMs = 20_000
    const { id: runId } = await submit(service.client, quoteId)
    for (const query of [{ format: 'json' as const }, { format: 'csv' as const, version: 1 }, { format: 'html' as const, version: 7 }]) {
      const reply = await service.fetch(
        `/v1/runs/${runId}/export?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
        {
          headers: service.client.headers,
        },
      )
      expect([reply.status, await reply.json()]).toMatchObject([409, { error: { code: 'result_not_ready' } }])
    }
    expect(await service.client.refusal('getRunResults', { params: { run_id: runId }, query: { version: 1 } })).toMatchObject({
      status: 409,
      code: 'result_not_ready',
    })
    await service.client.call('cancelRun', { params: { run_id: runId } })
    await runToEnd(service.client, service.baseUrl, runId)
    expect(await service.client.refusal('getRunResults', { params: { run_id: runId }, query: { version: 7 } })).toMatchObject({
      status: 404,
    })
    await models.close()
  })

  test('name a cursor that was not issued and a profile that is selected twice', async () => {
    const query = { cursor: '01934f00-0000-7000-8000-0000000000ff' }
    expect(await service.client.refusal('listEnvironments', { query })).toMatchObject({ status: 422, code: 'invalid_cursor' })
    const { next_cursor: next } = await service.client.call('listEnvironments', { query: { limit: 1 } })
    expect((await service.client.call('listEnvironments', { query: { cursor: next ?? '' } })).items.length).toBeGreaterThan(0)
    const refused = await service.client.refusal('createQuote', {
      body: {
        model: { kind: 'managed', route_id: 'assay/echo' },
        selection: { profile_ids: [profile, profile] },
        coverage: { mode: 'full' },
        max_charge_microusd: '0',
      },
    })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error', message: expect.stringContaining('is selected twice') })
    expect(refused.detail.map(({ loc }) => loc.join('.'))).toEqual(['body.selection.profile_ids.1'])
  })
})
