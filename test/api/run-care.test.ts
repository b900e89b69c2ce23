import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/contract/client.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { insertJob } from '../../src/service/jobs/jobs.store.ts'
import { insertNewScores, insertRegrade } from '../../src/service/runs/regrades.store.ts'
import { profilesOf } from '../../src/service/runs/run-record.ts'
import { findRun } from '../../src/service/runs/runs.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { sampleId } from '../../src/storage/sample-id.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { type Script, scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

const ended = (script: Script) => scriptedRun(service, profile, script)
const read = (id: string) => service.client.call('getRun', { params: { run_id: id } })
const resultOf = (id: string, version?: number) =>
  service.client.call('getRunResults', { params: { run_id: id }, query: version === undefined ? {} : { version } })
const bytesOf = async (id: string, version: number, format: string) =>
  (await service.fetch(`/v1/runs/${id}/export?format=${format}&version=${version}`)).text()
const samplesOf = async (id: string, query: { status?: 'failed' | 'scored' } = {}) =>
  (await service.client.call('listSamples', { params: { run_id: id }, query: { limit: 100, ...query } })).items

/** Polls what no stream tells: a grading anew. */
async function regraded(id: string): Promise<Run> {
  for (;;) {
    const run = await read(id)
    if (run.regrade === null) return run
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** What is on the disk when the service has died twice while it graded a run again, each time after these samples. */
function leaveHalfARegrade({ id }: Run, graded = 1): void {
  const { workspaceId } = service
  const db = openDatabase(join(service.dataDir, 'assay.db'))
  const at = new Date().toISOString()
  const row = findRun(db, workspaceId, id)
  if (!row) throw new Error('The run is gone.')
  const regrade = { version: 2, profiles: profilesOf(row) }
  insertRegrade(db, row.no, regrade, at)
  const score = { value: 1, class: 'correct', answer: null, answerSpan: null, explanation: 'half' } as const
  const metrics = regrade.profiles[0]?.metrics ?? []
  const rows = Array.from({ length: graded }, (_, position) => ({ position, metrics, scores: metrics.map(() => score) }))
  insertNewScores(db, row.no, 2, rows)
  const input = { runNo: row.no, ...regrade }
  const jobId = randomUUID()
  insertJob(db, jobId, 'regrade', { workspaceId, owner: { kind: 'service' }, input, subject: { type: 'run', id } }, at)
  db.prepare(`update jobs set state = 'running', attempt = 2, interruptions = 1 where id = ?`).run(jobId)
  db.close()
}

const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : String(error))

describe('asking again what failed', () => {
  test('is a separate part whose scores make the next result version; the first stays byte-equal', async () => {
    const { run, models } = await ended({ faults: ['server-error', 'ok', 'server-error'] })
    expect(run).toMatchObject({ status: 'partial', result_version: 1, progress: { scored: 4, failed: 2 }, parts: [] })
    expect(run.progress.failures).toEqual([{ code: 'provider_failure', count: 2 }])
    const before = await bytesOf(run.id, 1, 'json')

    const part = await service.client.call('retryFailed', { params: { run_id: run.id } })
    expect(part).toMatchObject({ part_of: run.id, progress: { frozen: 2 } })
    expect(await runToEnd(service.client, service.baseUrl, part.id)).toMatchObject({ status: 'complete', result_version: null })

    const whole = await read(run.id)
    expect(whole).toMatchObject({ status: 'complete', result_version: 2, progress: { scored: 6, failed: 0, retries: 2, failures: [] } })
    expect(whole.parts).toMatchObject([{ run_id: part.id, selection: 'failed', samples: 2, result_version: 2, status: 'complete' }])
    expect(models.requests()).toBe(1 + 6 + 2)

    const [first, second] = [await resultOf(run.id, 1), await resultOf(run.id, 2)]
    expect(first.coverage).toMatchObject({ scored: 4, failed: 2 })
    expect(first.status).toBe('partial')
    expect(second.coverage).toMatchObject({ scored: 6, failed: 0 })
    expect(second.usage.model_calls).toBe(8)
    expect(second.notices.map(notice => notice.code)).toContain('later_version')
    expect(await bytesOf(run.id, 1, 'json')).toBe(before)
    await models.close()
  })

  test('an export of the first version that is only made later tells what was then', async () => {
    const { run, models } = await ended({ faults: ['server-error'], samples: 3 })
    const { id } = await service.client.call('retryFailed', { params: { run_id: run.id } })
    await runToEnd(service.client, service.baseUrl, id)
    const [early, late] = [await bytesOf(run.id, 1, 'csv'), await bytesOf(run.id, 2, 'csv')]
    expect(early.split('\n').filter(line => line.includes('provider_failure'))).toHaveLength(1)
    expect(late).not.toContain('provider_failure')
    await models.close()
  })

  test('keeps every attempt in the transcript, counted on', async () => {
    const { run, models } = await ended({ faults: ['server-error'], samples: 2 })
    const [failed] = await samplesOf(run.id, { status: 'failed' })
    const { id } = await service.client.call('retryFailed', { params: { run_id: run.id } })
    await runToEnd(service.client, service.baseUrl, id)
    const detail = await service.client.call('getSample', { params: { run_id: run.id, sample_id: failed?.id ?? '' } })
    expect(detail.status).toBe('scored')
    expect(detail.error).toBeNull()
    expect(detail.attempt_log.map(({ number, status }) => ({ number, status }))).toEqual([
      { number: 1, status: 'failed' },
      { number: 2, status: 'answered' },
    ])
    await models.close()
  })

  test('changes nothing where it fails again', async () => {
    const { run, models } = await ended({ faults: ['server-error', 'ok', 'ok', 'server-error'], samples: 3 })
    const { id } = await service.client.call('retryFailed', { params: { run_id: run.id } })
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'failed' })
    const whole = await read(run.id)
    expect(whole).toMatchObject({ status: 'partial', result_version: 1, progress: { scored: 2, failed: 1 } })
    expect(whole.parts).toMatchObject([{ result_version: null, status: 'failed' }])
    await models.close()
  })

  test('is refused for active runs, complete runs and parts', async () => {
    const { client } = service
    const { run, models } = await ended({ faults: ['server-error'], samples: 2 })
    const { id } = await client.call('retryFailed', { params: { run_id: run.id } })
    await runToEnd(client, service.baseUrl, id)
    expect((await client.refusal('retryFailed', { params: { run_id: run.id } })).message).toContain('nothing to retry')
    expect((await client.refusal('retryFailed', { params: { run_id: id } })).code).toBe('conflict')
    expect((await client.refusal('getRunResults', { params: { run_id: id } })).code).toBe('result_not_ready')
    await models.close()
  })

  test('lists no part among the runs', async () => {
    const { items } = await service.client.call('listRuns', { query: { limit: 100 } })
    expect(items.every(run => run.part_of === null)).toBe(true)
    expect(items.some(run => run.parts.length > 0)).toBe(true)
  })
})

describe('asking named samples again', () => {
  test('replaces their scores in the next version, past the cache', async () => {
    let answer = '#### 13'
    const { run, models } = await ended({ samples: 3, execution: { cache: true }, answers: () => answer })
    const [first, ...others] = await samplesOf(run.id)
    answer = '#### 14'
    const { id } = await service.client.call('retrySamples', { params: { run_id: run.id }, body: { sample_ids: [first?.id ?? ''] } })
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', progress: { frozen: 1, cached: 0 } })
    expect(models.requests()).toBe(1 + 3 + 1)
    const after = await samplesOf(run.id)
    expect(after[0]?.output_preview).toBe('#### 14')
    expect(after.slice(1)).toEqual(others)
    expect((await read(run.id)).result_version).toBe(2)
    await models.close()
  })

  test('refuses an id that names a place beyond the run’s end, and makes no part', async () => {
    const { run, models } = await ended({ samples: 2 })
    const refusal = await service.client.refusal('retrySamples', {
      params: { run_id: run.id },
      body: { sample_ids: [sampleId(run.id, 99)] },
    })
    expect(refusal.code).toBe('not_found')
    expect((await read(run.id)).parts).toEqual([])
    await models.close()
  })

  test('refuses a sample of another run', async () => {
    const [one, two] = [await ended({ samples: 2 }), await ended({ samples: 2 })]
    const [stranger] = await samplesOf(two.run.id)
    const refusal = await service.client.refusal('retrySamples', {
      params: { run_id: one.run.id },
      body: { sample_ids: [stranger?.id ?? ''] },
    })
    expect(refusal.code).toBe('not_found')
    await Promise.all([one.models.close(), two.models.close()])
  })
})

describe('grading again', () => {
  test('makes the next version without model calls and keeps the first unchanged', async () => {
    const { run, models } = await ended({ samples: 4, answers: () => 'I would say so' })
    const first = await resultOf(run.id)
    const metric = first.metrics.find(candidate => candidate.primary)
    expect(metric?.estimate.mean).toBe(0)
    const asked = models.requests()

    const begun = await service.client.call('regradeRun', {
      params: { run_id: run.id },
      body: {
        metrics: [{ profile_id: profile, metric: metric?.metric ?? '', scorer: 'inspect_ai/pattern', options: { pattern: 'I (would)' } }],
      },
    })
    expect(begun.regrade).toMatchObject({ result_version: 2, samples: 4 })
    const after = await regraded(run.id)
    expect(after).toMatchObject({ result_version: 2, status: 'complete' })
    expect(models.requests()).toBe(asked)

    const second = await resultOf(run.id)
    const changed = second.metrics.find(candidate => candidate.metric === metric?.metric)
    expect(changed?.scorer).toBe('inspect_ai/pattern')
    expect(second.reproducibility.profiles[0]?.metrics.find(m => m.id === metric?.metric)?.options).toEqual({ pattern: 'I (would)' })
    expect(await resultOf(run.id, 1)).toEqual(first)
    const [sample] = await samplesOf(run.id)
    expect(sample?.scores.find(score => score.metric === metric?.metric)).toMatchObject({ scorer: 'inspect_ai/pattern', answer: 'would' })
    await models.close()
  })

  test('resumes after a stop, each sample graded once', async () => {
    const { run, models } = await ended({ samples: 80 })
    await service.client.call('regradeRun', { params: { run_id: run.id }, body: {} })
    await service.restart()
    const after = await regraded(run.id)
    expect(after.result_version).toBe(2)
    const [first, second] = [await resultOf(run.id, 1), await resultOf(run.id, 2)]
    expect(second.metrics).toEqual(first.metrics)
    await models.close()
  })

  test('that is given up half way leaves the earlier scores, and its retry grades all', async () => {
    const { run, models } = await ended({ samples: 4, answers: () => 'I would say so' })
    const [shown] = await samplesOf(run.id)
    expect(shown?.passed).toBe(false)
    await service.restart(() => leaveHalfARegrade(run))
    const [job] = (await service.client.call('listJobs', { query: { kind: 'regrade', state: 'failed' } })).items
    expect(job).toMatchObject({ subject: { type: 'run', id: run.id }, retryable: true, error: { code: 'internal_error' } })
    const after = await read(run.id)
    expect(after).toMatchObject({ regrade: null, result_version: 1 })
    expect(await samplesOf(run.id)).toEqual(expect.arrayContaining([shown]))

    await service.client.call('retryJob', { params: { job_id: job?.id ?? '' } })
    expect(await regraded(run.id)).toMatchObject({ result_version: 2 })
    expect((await resultOf(run.id)).metrics).toEqual((await resultOf(run.id, 1)).metrics)
    await models.close()
  })

  test('that is given up after many samples is taken back some at a time, and nothing else is begun meanwhile', async () => {
    const { run, models } = await ended({ samples: 270, answers: () => 'I would say so' })
    await service.restart(() => leaveHalfARegrade(run, 270))
    expect(await read(run.id)).toMatchObject({ regrade: null, result_version: 1 })
    const regrade = () => service.client.call('regradeRun', { params: { run_id: run.id }, body: {} }).then(() => null, codeOf)
    await expect.poll(regrade).toBe(null)
    expect(await regraded(run.id)).toMatchObject({ result_version: 2 })
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { passed: 'true' } })
    expect(items).toEqual([])
    expect((await resultOf(run.id)).metrics).toEqual((await resultOf(run.id, 1)).metrics)
    await models.close()
  })

  test('names the metric, the scorer or the option that is wrong', async () => {
    const { run, models } = await ended({ samples: 2 })
    const metric = run.profiles[0]?.metrics[0]?.id ?? ''
    const refuse = (metrics: { profile_id: string; metric: string; scorer?: string; options?: Record<string, unknown> }[]) =>
      service.client.refusal('regradeRun', { params: { run_id: run.id }, body: { metrics } })
    expect((await refuse([{ profile_id: profile, metric: 'nope' }])).message).toContain('no metric "nope"')
    expect((await refuse([{ profile_id: 'nope', metric: 'exact_match' }])).message).toContain('no profile "nope"')
    expect((await refuse([{ profile_id: profile, metric, scorer: 'assay/exact-match' }])).message).toContain('assay/exact_match')
    expect((await refuse([{ profile_id: profile, metric, options: { ignore_cases: true } }])).message).toContain('ignore_cases')
    await models.close()
  })
})

describe('a cap on the provider’s bill', () => {
  test('stops the run cleanly before a call that could pass it, and raising it asks the rest', async () => {
    const rates = { input_microusd_per_million: '0', output_microusd_per_million: '1000000' }
    const script = { samples: 6, rates, execution: { max_output_tokens: 100, max_provider_billed_microusd: '104' } }
    const { run, models } = await ended(script)
    expect(run).toMatchObject({ status: 'partial', stop_reason: { code: 'cap_reached' } })
    expect(run.progress.scored).toBeGreaterThan(0)
    expect(run.progress.missing).toBeGreaterThan(0)
    expect(BigInt(run.accounting.provider_billed_microusd ?? 0)).toBeLessThanOrEqual(104n)

    const refusal = await service.client.refusal('changeRun', { params: { run_id: run.id }, body: { max_provider_billed_microusd: '100' } })
    expect(refusal.message).toContain('less than the present 104')
    const changed = await service.client.call('changeRun', { params: { run_id: run.id }, body: { max_provider_billed_microusd: '100000' } })
    expect(changed.parts).toHaveLength(1)
    await runToEnd(service.client, service.baseUrl, changed.parts[0]?.run_id ?? '')
    const whole = await read(run.id)
    expect(whole).toMatchObject({ status: 'complete', result_version: 2, progress: { scored: 6, missing: 0 } })
    expect(BigInt(whole.accounting.provider_billed_microusd ?? 0)).toBeGreaterThan(BigInt(run.accounting.provider_billed_microusd ?? 0))
    await models.close()
  })
})

describe('the care of runs', () => {
  test('renames, archives and finds again', async () => {
    const { client } = service
    const { run, models } = await ended({ samples: 2 })
    await client.call('changeRun', { params: { run_id: run.id }, body: { name: 'Zebra', archived: true } })
    const find = async (archived: 'true' | 'false') =>
      (await client.call('listRuns', { query: { q: 'zebra', archived } })).items.map(({ id }) => id)
    expect(await find('false')).toEqual([])
    expect(await find('true')).toEqual([run.id])
    expect((await read(run.id)).archived_at).not.toBeNull()
    await client.call('changeRun', { params: { run_id: run.id }, body: { archived: false } })
    expect(await find('false')).toEqual([run.id])
    await models.close()
  })

  test('deletes a run with its parts for good, and space is given back', async () => {
    const { client } = service
    const { run, models } = await ended({ faults: ['server-error'], samples: 80 })
    const part = await client.call('retryFailed', { params: { run_id: run.id } })
    await runToEnd(client, service.baseUrl, part.id)
    await bytesOf(run.id, 1, 'html')
    const before = await client.call('getStorage', {})
    await client.call('deleteRun', { params: { run_id: run.id } })
    expect((await client.refusal('getRun', { params: { run_id: run.id } })).code).toBe('not_found')
    expect((await client.refusal('getRun', { params: { run_id: part.id } })).code).toBe('not_found')
    for (;;) {
      const { rows_to_delete } = await client.call('getStorage', {})
      if (rows_to_delete === 0) break
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    const after = await client.call('getStorage', {})
    expect(after.runs).toBe(before.runs - 1)
    expect(after.samples).toBe(before.samples - 81)
    expect(after.exports_bytes).toBeLessThan(before.exports_bytes)
    expect(after.reusable_bytes).toBeGreaterThan(before.reusable_bytes)
    await client.call('compactStorage', {})
    for (;;) {
      const { compaction, reusable_bytes } = await client.call('getStorage', {})
      if (compaction?.finished_at) {
        expect(reusable_bytes).toBe(0)
        expect(compaction.returned_bytes).toBeGreaterThan(0)
        break
      }
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    await models.close()
  })

  test('changes the concurrency of an active run and shows the effect', async () => {
    const { client, baseUrl } = service
    const seen = Promise.withResolvers<null>()
    const models = await startModelServer({ answers: () => '#### 13', held: asked => (asked > 10 ? seen.promise : null) })
    const { id } = await client.call('createConnection', {
      body: { name: 'slow', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 16 } },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 100, seed: 1 },
      execution: { concurrency: 1 },
    })
    const { id: runId } = await submit(client, quoteId)
    const changed = await client.call('changeRun', { params: { run_id: runId }, body: { concurrency: 12 } })
    expect(changed.activity?.concurrency ?? 12).toBe(12)
    seen.resolve(null)
    const run = await runToEnd(client, baseUrl, runId)
    expect(run).toMatchObject({ status: 'complete', activity: null })
    await models.close()
  })
})
