import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkerOutcome, WorkerReportBody } from '../../src/contract/workers/workers.schemas.ts'
import { buildVersion } from '../../src/service/workers/build-version.ts'
import { createSealPair } from '../../src/service/workers/sealed-key.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'
import { workerKey } from '../support/worker.ts'

const { publicKey: public_key } = createSealPair()
const sandboxOf = (language: 'python' | 'javascript') => ({
  id: language === 'python' ? ('linux' as const) : ('quickjs' as const),
  title: language,
  language,
  interpreter: `${language} 1`,
  platform: 'linux x64',
  probes_refused: 1,
  probes_digest: '0'.repeat(64),
  memory_bytes: 1,
  disk_bytes: 1,
})
const report = (more: Partial<WorkerReportBody> = {}): WorkerReportBody => ({
  name: 'rack 7',
  labels: ['code'],
  slots: 4,
  busy: 0,
  version: buildVersion(),
  sandboxes: [sandboxOf('python'), sandboxOf('javascript')],
  public_key,
  traffic: [],
  ...more,
})
type CallReport = Extract<WorkerOutcome, { kind: 'call' }>['call']
const wire = { request: 'e30=', response: 'e30=', httpStatus: 200, latencyMs: 5 }
const answerOf = (more: Partial<CallReport> = {}) =>
  ({
    kind: 'call',
    call: { ...wire, ok: true, output: '#### 13', finishReason: 'stop', refused: false, usage: null, ...more } as CallReport,
  }) as const

describe.skipIf(postgresMissing !== null)(
  `a worker that may send anything${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let postgres: Postgres
    let service: TestService
    let machine: TestClient

    beforeAll(async () => {
      postgres = await startPostgres()
      service = await startTestService({ queue: postgres.url })
      machine = clientFor(service.baseUrl, await workerKey(service.client), service.workspaceId)
    })
    afterAll(async () => {
      await service.close()
      await postgres.close()
    })
    const join = (client: TestClient, more: Partial<WorkerReportBody> = {}, worker_id: string = randomUUID()) =>
      client.call('reportWorker', { params: { worker_id }, body: report(more) }).then(({ worker }) => worker)
    const jobs = (label: string) =>
      postgres
        .query(`select id from assay_queue.job where name like '%/${label}' and state in ('created', 'active') order by created_on`)
        .split('\n')
        .filter(Boolean)
    /** The job of a label once there is one. A worker that is silent for 20 seconds is lost, and then its work is done locally. */
    const waitForJob = async (label: string, beat: () => Promise<unknown>) => {
      let found: string[] = []
      await expect.poll(() => beat().then(() => (found = jobs(label)))).not.toEqual([])
      return found[0] ?? ''
    }
    const otherKey = async (labels?: readonly string[]) =>
      clientFor(service.baseUrl, await workerKey(service.client, labels), service.workspaceId)

    test('cannot count traffic beyond what a reader can hold, and the service goes on', async () => {
      const worker = await join(machine)
      const origin = 'https://models.example'
      const most = { requests: 1_000_000, sent_bytes: 2 ** 40, received_bytes: 2 ** 40 }
      const beyond = await machine.refusal('reportWorker', {
        params: { worker_id: worker.id },
        body: report({ traffic: [{ origin, ...most, requests: Number.MAX_SAFE_INTEGER }] }),
      })
      expect(beyond).toMatchObject({ status: 422 })
      for (let beats = 0; beats < 100; beats++)
        await join(machine, { traffic: Array.from({ length: 100 }, () => ({ origin, ...most })) }, worker.id)
      const { items } = await service.client.call('listNetworkHosts', {})
      expect(items.find(item => item.origin === origin)).toMatchObject({
        requests: 10_000_000_000,
        sent_bytes: Number.MAX_SAFE_INTEGER,
        received_bytes: Number.MAX_SAFE_INTEGER,
      })
      await machine.call('leaveWorker', { params: { worker_id: worker.id } })
    })

    test('takes only labels that an owner granted to its key', async () => {
      const bare = clientFor(
        service.baseUrl,
        (await service.client.call('createApiKey', { body: { name: 'bare', scopes: ['workers:run'] } })).key,
        service.workspaceId,
      )
      expect(await bare.refusal('reportWorker', { params: { worker_id: randomUUID() }, body: report() })).toMatchObject({
        status: 403,
        code: 'missing_scope',
        message: expect.stringContaining('may not take the label "code". It has none.'),
      })
      const coder = await otherKey(['code'])
      const refused = await coder.refusal('reportWorker', {
        params: { worker_id: randomUUID() },
        body: report({ labels: ['code', 'model.x'] }),
      })
      expect(refused).toMatchObject({ code: 'missing_scope', message: expect.stringContaining('"model.x". It has code.') })
      const { id: key_id } = (await service.client.call('listApiKeys', {})).items.find(({ name }) => name === 'bare') ?? { id: '' }
      await service.client.call('setKeyCeiling', { params: { key_id }, body: { worker_labels: ['code'] } })
      const worker = await join(bare)
      expect(worker.status).toBe('active')
      await bare.call('leaveWorker', { params: { worker_id: worker.id } })
      // A key hands on no label that it lacks.
      const maker = clientFor(
        service.baseUrl,
        (
          await service.client.call('createApiKey', {
            body: { name: 'maker', scopes: ['keys:write', 'workers:run'], worker_labels: ['code'] },
          })
        ).key,
        service.workspaceId,
      )
      const body = { name: 'made', scopes: ['workers:run' as const] }
      expect(await maker.refusal('createApiKey', { body: { ...body, worker_labels: ['model.*'] } })).toMatchObject({ status: 403 })
      expect(await maker.call('createApiKey', { body: { ...body, worker_labels: ['code'] } })).toMatchObject({ worker_labels: ['code'] })
    })

    test('is bound to the key that it joined with', async () => {
      const worker = await join(machine)
      const stranger = await otherKey()
      const params = { worker_id: worker.id }
      const batch = { ...params, batch_id: randomUUID() }
      const asIf = [
        await stranger.refusal('reportWorker', { params, body: report() }),
        await stranger.refusal('leaveWorker', { params }),
        await stranger.refusal('takeBatch', { params: batch, body: { attempt: 0 } }),
        await stranger.refusal('reportBatch', { params: batch, body: { attempt: 0, outcome: { kind: 'probe', fault: null } } }),
      ]
      expect(asIf.map(({ status, message }) => [status, message.includes(worker.id)])).toEqual(Array.from({ length: 4 }, () => [404, true]))
      expect((await join(machine, {}, worker.id)).status).toBe('active')
      await machine.call('leaveWorker', { params })
    })

    test('takes nothing once it drains, has left or lacks the label, and what it held when it left is done by others', async () => {
      const [worker, drained, gone, other] = [
        await join(machine),
        await join(machine),
        await join(machine),
        await join(machine, { labels: ['model.x'] }),
      ]
      await machine.call('leaveWorker', { params: { worker_id: gone.id } })
      const beat = () => Promise.all([worker, drained, other].map(({ id, labels }) => join(machine, { labels }, id)))
      const run = await submitCode(beat)
      await beat()
      // A draining worker that is lost comes back as active.
      await service.client.call('drainWorker', { params: { worker_id: drained.id } })
      const batch_id = await waitForJob('code', beat)
      const take = ({ id }: { readonly id: string }) =>
        machine.refusal('takeBatch', { params: { worker_id: id, batch_id }, body: { attempt: 0 } })
      expect([await take(drained), await take(gone), await take(other)].map(({ status, message }) => [status, message])).toEqual([
        [409, expect.stringContaining('is draining')],
        [409, expect.stringContaining('is left')],
        [409, expect.stringContaining('has not announced the label "code"')],
      ])
      await machine.call('takeBatch', { params: { worker_id: worker.id, batch_id }, body: { attempt: 0 } })
      await machine.call('leaveWorker', { params: { worker_id: worker.id } })
      const late = await machine.refusal('reportBatch', {
        params: { worker_id: worker.id, batch_id },
        body: { attempt: 0, outcome: { kind: 'grade', scores: [] } },
      })
      expect(late.status).toBeGreaterThanOrEqual(404)
      expect(await runToEnd(service.client, service.baseUrl, run)).toMatchObject({ status: 'complete' })
      for (const { id } of [drained, other]) await machine.call('leaveWorker', { params: { worker_id: id } })
    })

    test('reports only what is bounded, and spends no more than the reserve of its call', async () => {
      const models = await startModelServer({ answers: () => '#### 13' })
      const { id: connection_id } = await service.client.call('createConnection', {
        body: {
          name: 'priced',
          base_url: models.baseUrl,
          model: 'm',
          rates: { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' },
        },
      })
      await service.client.call('checkConnection', { params: { connection_id } })
      const label = `model.${connection_id}`
      const worker = await join(machine, { labels: [label] })
      const profiles = [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')]
      const ask = () =>
        quote(service.client, {
          model: { kind: 'connection', connection_id },
          profiles,
          coverage: { mode: 'sample', sample_count: 1, seed: 1 },
          execution: { max_attempts: 1 },
        })
      const bound = BigInt((await ask()).cost.provider_billed_upper_bound_microusd ?? '0')
      expect(bound).toBeGreaterThan(0n)
      const outcomes = [
        answerOf({ usage: { inputTokens: 1e9, outputTokens: 1e9 } }),
        answerOf({ usage: { inputTokens: 1, outputTokens: 1 }, statedPicoUsd: Number.MAX_SAFE_INTEGER }),
        answerOf({ statedPicoUsd: Number.MAX_SAFE_INTEGER }),
        {
          kind: 'call' as const,
          call: {
            ...wire,
            ok: false as const,
            code: 'bad_request' as const,
            message: 'no',
            retryAfterMs: null,
            httpStatus: 400,
            usage: { inputTokens: 1e9, outputTokens: 1e9 },
          },
        },
      ]
      const billed: (string | null)[] = []
      for (const outcome of outcomes) {
        const { run_id, params } = await takeCall((await ask()).id, worker.id, label)
        const beat = () => join(machine, { labels: [label] }, worker.id)
        const say = async (call: object) => {
          await beat()
          return machine.refusal('reportBatch', { params, body: { attempt: 0, outcome: { kind: 'call', call: call as CallReport } } })
        }
        const { call } = answerOf()
        const long = 'x'.repeat(17_000_000)
        const refused = [
          await say({ ...call, output: long }),
          await say({ ...call, finishReason: 'x'.repeat(501) }),
          await say({ ...call, httpStatus: -5 }),
          await say({ ...call, toolCalls: Array.from({ length: 1_001 }, () => ({ id: '1', name: 'x', arguments: '{}' })) }),
          await say({ ...call, earlier: Array.from({ length: 5_001 }, () => ({ request: null, response: null })) }),
          await say({ ...call, notes: Array.from({ length: 101 }, () => ({ code: 'answer_empty', message: 'x' })) }),
        ]
        expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 422))
        await beat()
        await machine.call('reportBatch', { params, body: { attempt: 0, outcome } })
        // What a worker does with a job whose outcome is stored.
        postgres.query(`update assay_queue.job set state = 'completed', completed_on = now() where id = '${params.batch_id}'`)
        const run = await runToEnd(service.client, service.baseUrl, run_id)
        expect(BigInt(run.accounting.provider_billed_microusd ?? '0')).toBeLessThanOrEqual(bound)
        billed.push(run.accounting.provider_billed_microusd)
      }
      // A run is bounded by the rates that it was quoted with, whatever the connection has now.
      const { id: quoteId } = await ask()
      await machine.call('leaveWorker', { params: { worker_id: worker.id } })
      await service.client.call('updateConnection', { params: { connection_id }, body: { rates: null } })
      await service.client.call('checkConnection', { params: { connection_id } })
      const { id: worker_id } = await join(machine, { labels: [label] })
      const { run_id, params } = await takeCall(quoteId, worker_id, label)
      await machine.call('reportBatch', {
        params,
        body: { attempt: 0, outcome: answerOf({ statedPicoUsd: Number.MAX_SAFE_INTEGER }) },
      })
      billed.push((await runToEnd(service.client, service.baseUrl, run_id)).accounting.provider_billed_microusd)
      // What is beyond the bound counts as the bound, not as nothing.
      expect(billed).toEqual(billed.map(() => String(bound)))
      await machine.call('leaveWorker', { params: { worker_id } })
      await models.close()
    })

    test('makes no queue by a label that no connection has', async () => {
      const worker_id = randomUUID()
      const labels = Array.from({ length: 19 }, () => `model.${randomUUID()}`)
      const lease = await machine.call('reportWorker', { params: { worker_id }, body: report({ labels: ['code', ...labels] }) })
      expect(lease.worker.labels).toHaveLength(20)
      expect(lease.queues.map(({ label }) => label)).toEqual(['code'])
      expect(postgres.query(`select count(*) from assay_queue.queue where name like '%/${labels[0]}%'`)).toBe('0')
      await machine.call('leaveWorker', { params: { worker_id } })
    })

    async function submitCode(beat: () => Promise<unknown>): Promise<string> {
      const { id } = await quote(service.client, {
        model: { kind: 'managed', route_id: 'assay/oracle-50' },
        profiles: [await profileId(service.client, 'python-functions', 'zero-shot')],
        coverage: { mode: 'sample', sample_count: 4, seed: 1 },
      })
      await beat()
      return (await submit(service.client, id)).id
    }

    /** Submits a run of one call, and takes that call. */
    async function takeCall(quoteId: string, worker_id: string, label: string) {
      const beat = () => join(machine, { labels: [label] }, worker_id)
      await beat()
      const { id: run_id } = await submit(service.client, quoteId)
      const params = { worker_id, batch_id: await waitForJob(label, beat) }
      await machine.call('takeBatch', { params, body: { attempt: 0 } })
      return { run_id, params }
    }
  },
)
