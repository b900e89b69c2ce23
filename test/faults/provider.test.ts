import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Attempt } from '../../src/contract/runs/samples.schemas.ts'
import type { HttpFaultName } from '../journeys/model-server/http-faults.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { patience } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

/** A run of 30 samples against an endpoint whose first replies go wrong as told. */
async function runWith(
  faults: readonly ('ok' | HttpFaultName)[],
  options: { attemptTimeoutMs?: number; maxAttempts?: number; concurrency?: number } = {},
) {
  const models = await startModelServer({ answers: () => '#### 13', faults: ['ok', ...faults] })
  try {
    const { client, baseUrl } = service
    const { id } = await client.call('createConnection', {
      body: {
        name: 'faulty',
        base_url: models.baseUrl,
        model: 'replay',
        limits: { max_concurrency: options.concurrency ?? 8, attempt_timeout_ms: options.attemptTimeoutMs ?? 120_000 },
      },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 30, seed: 1 },
      execution: { max_attempts: options.maxAttempts ?? 5 },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
    const results = await client.call('getRunResults', { params: { run_id: run.id } })
    const { frozen, scored, failed, excluded, missing, cancelled } = run.progress
    expect(scored + failed + excluded + missing + cancelled).toBe(frozen)
    expect(run.accounting.state).toBe('settled')
    // Each request that the server received is one attempt on record, and the check of the connection is one more.
    expect(await recordedAttempts(run.id)).toBe(models.requests() - 1)
    return { run, results, requests: models.requests() }
  } finally {
    await models.close()
  }
}

async function attemptsOf(runId: string): Promise<readonly Attempt[]> {
  const { items } = await service.client.call('listSamples', { params: { run_id: runId }, query: { limit: 100 } })
  const details = await Promise.all(items.map(({ id }) => service.client.call('getSample', { params: { run_id: runId, sample_id: id } })))
  return details.flatMap(({ attempt_log }) => attempt_log)
}

async function recordedAttempts(runId: string): Promise<number> {
  return (await attemptsOf(runId)).length
}

describe('faults that pass', () => {
  test('are retried until every sample is scored once', async () => {
    const { run, results } = await runWith([
      'server-error',
      'reset',
      'overloaded',
      'half-an-answer',
      'html-with-200',
      'error-with-200',
      'no-choices',
      'throttled-without-pause',
    ])
    expect(run.status).toBe('complete')
    expect(run.progress.retries).toBe(8)
    expect(results.usage.retries).toBe(8)
    expect(results.errors).toEqual([])
    // Half an answer, a page and no choices could not be read; the reset came after the request was sent.
    expect(run.accounting.possibly_billed_twice).toBe(4)
    expect(results.notices.find(({ code }) => code === 'possibly_billed_twice')?.message).toMatch(/^4 calls were sent .* could not be read/)
  })

  test('a pause that the provider asks for is kept', async () => {
    const started = performance.now()
    const { run } = await runWith(['throttled'], { concurrency: 1 })
    expect(run.status).toBe('complete')
    expect(performance.now() - started).toBeGreaterThan(1000)
  })

  test('a reset after the request was read is one recorded call that may be billed, on fresh and kept-alive connections', async () => {
    const { run, requests } = await runWith(['ok', 'reset', 'ok', 'reset', 'reset', 'ok', 'reset'], { concurrency: 1 })
    expect(run).toMatchObject({ status: 'complete', progress: { retries: 4 }, accounting: { possibly_billed_twice: 4 } })
    expect(requests).toBe(1 + 30 + 4)
  })

  test('a reply that never comes is given up after the time limit and asked again', async () => {
    const { run } = await runWith(['hang'], { attemptTimeoutMs: 2_000 * patience() })
    expect(run).toMatchObject({ status: 'complete', progress: { retries: 1 }, accounting: { possibly_billed_twice: 1 } })
  })
})

describe('faults that stay', () => {
  test('end single samples as failed, and the run as partial, with the worst case stated', async () => {
    const { run, results } = await runWith(['bad-request', 'bad-request'])
    expect(run).toMatchObject({ status: 'partial', progress: { scored: 28, failed: 2 } })
    expect(results.errors).toMatchObject([{ code: 'bad_request', count: 2 }])
    const primary = results.metrics.find(metric => metric.primary)
    expect(primary?.estimate.n).toBe(28)
    expect(primary?.worst_case).toBeLessThan(primary?.best_case ?? 0)
    expect(results.notices.map(notice => notice.code)).toContain('incomplete')
  })

  test.each([
    ['bad-key', 'credential_refused'],
    ['no-model', 'model_not_found'],
    ['no-quota', 'quota_exhausted'],
    ['redirect', 'redirect_refused'],
  ] as const)('%s stops the run at once instead of failing sample by sample', async (fault, code) => {
    const { run, requests } = await runWith(Array.from({ length: 60 }, () => fault))
    expect(run).toMatchObject({ status: 'failed', stop_reason: { code } })
    expect(run.progress.failed).toBeGreaterThan(0)
    expect(run.progress.missing).toBeGreaterThan(0)
    expect(requests).toBeLessThan(20)
  })

  test('run out of attempts and say which error it was', async () => {
    const { run, results } = await runWith(
      // Where nothing was answered, an error that all get would stop the run.
      ['ok', ...Array.from({ length: 90 }, () => 'html-with-200' as const)],
      { maxAttempts: 2 },
    )
    expect(run).toMatchObject({ status: 'partial', progress: { failed: 29, retries: 29 } })
    expect(results.errors).toMatchObject([{ code: 'bad_response', count: 29 }])
    expect(results.metrics[0]?.estimate).toMatchObject({ n: 1 })
  })
})

describe('what a provider says of its answer', () => {
  test('is bounded before it is stored: a count that cannot be true is not used, and the sample says so', async () => {
    const { run, results } = await runWith(['absurd-usage', 'absurd-usage'])
    expect(run.status).toBe('complete')
    // Counted with the tokenizer instead.
    expect(results.usage.output_tokens).toBeLessThan(30_000)
    expect(results.usage.tokens_counted_by).toBe('both')
    const notes = await notesOf(run.id, 'answered')
    expect(notes.filter(({ code }) => code === 'usage_unreadable')).toHaveLength(2)
    expect(notes[0]?.message).toContain('9007199254740991')
    const file = await service.fetch(`/v1/runs/${run.id}/export?format=json`)
    expect(file.status).toBe(200)
  })

  test('makes a filtered answer refused and marks and counts those that were cut off or empty', async () => {
    const { run, results } = await runWith(['filtered', 'filtered-half-way', 'null-content', 'cut-off', 'cut-off', 'cut-off'])
    expect(run.status).toBe('complete')
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
    const marked = (code: string | null) => items.filter(({ notices }) => (notices[0]?.code ?? null) === code)
    expect(marked('answer_filtered').map(({ passed, scores }) => [passed, scores[0]?.class, scores[0]?.value])).toEqual([
      [null, 'refused', null],
      [null, 'refused', null],
    ])
    expect(marked('answer_empty')).toHaveLength(1)
    expect(marked('answer_cut_off')).toHaveLength(3)
    expect(marked(null)).toHaveLength(24)
    const primary = results.metrics.find(metric => metric.primary)
    expect(primary).toMatchObject({ unscored: 2, estimate: { n: 28 } })
    const said = Object.fromEntries(results.notices.map(({ code, message }) => [code, message]))
    expect(said['answer_filtered']).toMatch(/^2 of 30 answers/)
    expect(said['answer_cut_off']).toMatch(/^3 of 30 answers/)
    expect(said['answer_empty']).toMatch(/^1 of 30 answers/)
    expect((await notesOf(run.id, 'answered')).map(({ code }) => code).sort()).toEqual([
      'answer_cut_off',
      'answer_cut_off',
      'answer_cut_off',
      'answer_empty',
      'answer_filtered',
      'answer_filtered',
    ])
  })

  /** Notes on the calls of all samples. */
  async function notesOf(runId: string, status: Attempt['status']) {
    return (await attemptsOf(runId)).filter(attempt => attempt.status === status).flatMap(({ notes }) => notes)
  }
})

describe('cancelling', () => {
  test('ends waiting samples, keeps scored ones, and is idempotent', async () => {
    const models = await startModelServer({ answers: () => '#### 13', delayMs: 40 })
    const { client, baseUrl } = service
    const { id } = await client.call('createConnection', {
      body: { name: 'slow', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 2 } },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    const { id: quoteId } = await quote(client, { model: { kind: 'connection', connection_id: id }, profiles: [profile] })
    const { id: runId } = await submit(client, quoteId)
    const events = await fetch(`${baseUrl}/v1/runs/${runId}/events`, { headers: client.headers })
    let text = ''
    for await (const chunk of events.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (!/"scored":[1-9]/.test(text)) continue
      if (/"status":"cancell/.test(text)) continue
      expect((await client.call('cancelRun', { params: { run_id: runId } })).status).toMatch(/cancelling|cancelled/)
    }
    const run = await client.call('getRun', { params: { run_id: runId } })
    expect(run.status).toBe('cancelled')
    expect(run.progress.scored).toBeGreaterThan(0)
    expect(run.progress.cancelled).toBeGreaterThan(0)
    expect(run.progress.scored + run.progress.cancelled).toBe(run.progress.frozen)
    const results = await client.call('getRunResults', { params: { run_id: runId } })
    expect(results.status).toBe('cancelled')
    expect(await recordedAttempts(runId)).toBe(models.requests() - 1)
    await models.close()
  })
})
