import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxRecord } from '../../src/contract/runs/results.schemas.ts'
import type { WorkerReportBody } from '../../src/contract/workers/workers.schemas.ts'
import { appVersion } from '../../src/service/version.ts'
import { buildVersion } from '../../src/service/workers/build-version.ts'
import { createSealPair } from '../../src/service/workers/sealed-key.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'
import { workerKey } from '../support/worker.ts'

const sandbox = (language: SandboxRecord['language']): SandboxRecord => ({
  id: language === 'python' ? 'linux' : 'quickjs',
  title: `A worker’s ${language}`,
  language,
  interpreter: `${language} 1`,
  platform: 'linux x64',
  probes_refused: 1,
  probes_digest: '0'.repeat(64),
  memory_bytes: 1,
  disk_bytes: 1,
})
const seals = createSealPair()
const report = (more: Partial<WorkerReportBody> = {}): WorkerReportBody => ({
  name: 'rack 7',
  labels: ['code'],
  slots: 4,
  busy: 0,
  version: buildVersion(),
  sandboxes: [sandbox('python'), sandbox('javascript')],
  public_key: seals.publicKey,
  traffic: [],
  ...more,
})

test('says that a service without a queue takes no workers', async () => {
  await using service = await startTestService()
  expect(await service.client.call('listWorkers', {})).toEqual({ items: [], next_cursor: null, queue: 'off' })
  const refused = await service.client.refusal('reportWorker', { params: { worker_id: randomUUID() }, body: report() })
  expect(refused).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('--queue') })
})

describe.skipIf(postgresMissing !== null)(
  `a service with a queue${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
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
    const join = async (more: Partial<WorkerReportBody> = {}, worker_id: string = randomUUID()) =>
      (await machine.call('reportWorker', { params: { worker_id }, body: report(more) })).worker
    type Joined = { readonly id: string; readonly name: string }
    /** What workers do every five seconds: on a slow machine they would be lost without. */
    const beat = async (...workers: readonly Joined[]) => {
      for (const { id, name } of workers) await join({ name }, id)
    }
    /** The job of a new run of code, whose workers take it. */
    const submitTaken = async (...workers: readonly Joined[]) => {
      const before = new Set(jobs())
      const run = await submitCode(service, () => beat(...workers))
      let fresh: string[] = []
      await expect.poll(() => beat(...workers).then(() => (fresh = jobs().filter(job => !before.has(job))))).not.toEqual([])
      return { id: run, batch_id: fresh[0] ?? '' }
    }
    const jobs = () =>
      postgres.query("select id from assay_queue.job where name like '%/code' order by created_on").split('\n').filter(Boolean)

    test('lets a worker join, drain and leave, and tells only people with the right to drain', async () => {
      const worker = await join()
      expect(worker).toMatchObject({ name: 'rack 7', status: 'active', busy: 0, samples: 0, samples_per_minute: 0 })
      expect(await machine.refusal('drainWorker', { params: { worker_id: worker.id } })).toMatchObject({ code: 'missing_scope' })
      expect(await service.client.call('drainWorker', { params: { worker_id: worker.id } })).toMatchObject({ status: 'draining' })
      expect(await join({ busy: 1 }, worker.id)).toMatchObject({ status: 'draining', busy: 1 })
      expect(await machine.call('leaveWorker', { params: { worker_id: worker.id } })).toMatchObject({ status: 'left', busy: null })
      const again = await machine.refusal('reportWorker', { params: { worker_id: worker.id }, body: report() })
      expect(again).toMatchObject({ code: 'illegal_transition', message: expect.stringContaining('has left') })
    })

    test('lists workers newest first, page by page', async () => {
      const names = ['newest', 'middle', 'oldest']
      for (const name of names.toReversed()) await join({ name })
      const one = await service.client.call('listWorkers', { query: { limit: 1 } })
      const two = await service.client.call('listWorkers', { query: { limit: 2, cursor: one.next_cursor ?? '' } })
      expect([...one.items, ...two.items].map(({ name }) => name)).toEqual(names)
      for (const { id } of [...one.items, ...two.items]) await machine.call('leaveWorker', { params: { worker_id: id } })
    })

    test('refuses a worker of another version, and the label code without sandboxes', async () => {
      const params = { worker_id: randomUUID() }
      expect(await machine.refusal('reportWorker', { params, body: report({ version: '9.9.9' }) })).toMatchObject({
        code: 'conflict',
        message: `The worker runs Assay 9.9.9 and the service ${appVersion}. Install the same version.`,
      })
      // One that states no build is older.
      for (const version of [appVersion, `${appVersion}+000000000000`])
        expect(await machine.refusal('reportWorker', { params, body: report({ version }) })).toMatchObject({
          code: 'conflict',
          message: `The worker runs another build of Assay ${appVersion} than the service (${version} and ${buildVersion()}), which may grade otherwise. Install both from the same package.`,
        })
      expect(await machine.refusal('reportWorker', { params, body: report({ sandboxes: [sandbox('python')] }) })).toMatchObject({
        message: expect.stringContaining('sandbox for javascript'),
      })
    })

    test('ends a worker process of another build with what to install', async () => {
      const file = (name: string) => new URL(`../../${name}`, import.meta.url)
      const options = ['--join', service.baseUrl, '--queue', postgres.url, '--name', 'upgraded']
      const child = spawn(
        process.execPath,
        ['--import', file('test/support/other-build-process.ts').href, fileURLToPath(file('src/headless/cli.ts')), 'worker', ...options],
        { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ASSAY_KEY: await workerKey(service.client) } },
      )
      const [printed] = await Promise.all([text(child.stderr), once(child, 'exit')])
      expect(printed).toContain('which may grade otherwise. Install both from the same package.')
      expect(child.exitCode).toBeGreaterThan(0)
      const { items } = await service.client.call('listWorkers', { query: { limit: 100 } })
      expect(items.filter(({ name }) => name === 'upgraded')).toEqual([])
    })

    test('accepts only the latest attempt at a batch, once, and then says that it is stored', async () => {
      const [first, second] = [await join({ name: 'first' }), await join({ name: 'second' })]
      const { id, batch_id } = await submitTaken(first, second)
      const of = (worker: { readonly id: string }) => ({ worker_id: worker.id, batch_id })
      const batch = await machine.call('takeBatch', { params: of(first), body: { attempt: 0 } })
      if (batch.kind !== 'grade') throw new Error('Code is graded here.')
      expect(batch.inputs).toHaveLength(8)
      const scores = batch.inputs.map(() =>
        batch.metrics.map(() => ({
          value: 1,
          class: 'correct' as const,
          answer: null,
          answerSpan: null,
          explanation: 'Graded elsewhere.',
        })),
      )
      await machine.call('takeBatch', { params: of(second), body: { attempt: 1 } })
      const late = await machine.refusal('reportBatch', { params: of(first), body: { attempt: 0, outcome: { kind: 'grade', scores } } })
      expect(late).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('no longer holds') })
      await beat(second)
      expect(await machine.refusal('takeBatch', { params: of(first), body: { attempt: 0 } })).toMatchObject({ code: 'conflict' })
      const short = await machine.refusal('reportBatch', {
        params: of(second),
        body: { attempt: 1, outcome: { kind: 'grade', scores: scores.slice(1) } },
      })
      expect(short).toMatchObject({ status: 422, message: expect.stringContaining('8 rows') })
      const forged = (change: object) =>
        machine.refusal('reportBatch', {
          params: of(second),
          body: { attempt: 1, outcome: { kind: 'grade', scores: scores.map(row => row.map(score => ({ ...score, ...change }))) } },
        })
      await beat(second)
      expect(await forged({ value: 1000 })).toMatchObject({ status: 422, message: expect.stringContaining('value') })
      expect(await forged({ value: 0 })).toMatchObject({ status: 422, message: expect.stringContaining('must have the class "wrong"') })
      await beat(second)
      const counted = () =>
        beat(second)
          .then(() => service.client.call('listWorkers', {}))
          .then(({ items }) => items.find(({ id: listed }) => listed === second.id))
      const [stored] = await Promise.all([
        machine.call('reportBatch', { params: of(second), body: { attempt: 1, outcome: { kind: 'grade', scores } } }),
        expect.poll(counted).toMatchObject({ samples: 8, samples_per_minute: 8 }),
      ])
      expect(stored).toEqual({ stored: true })
      expect(
        await machine.refusal('reportBatch', { params: of(second), body: { attempt: 1, outcome: { kind: 'grade', scores } } }),
      ).toMatchObject({
        code: 'not_found',
      })
      const run = await runToEnd(service.client, service.baseUrl, id)
      expect(run).toMatchObject({ status: 'complete', progress: { scored: 8 } })
      const { reproducibility, metrics } = await service.client.call('getRunResults', { params: { run_id: id } })
      expect(reproducibility.sandboxes?.map(({ title }) => title)).toContain('A worker’s python')
      expect(metrics.map(({ estimate }) => estimate.mean)).toEqual([1, 1])
      for (const worker of [first, second]) await machine.call('leaveWorker', { params: { worker_id: worker.id } })
    })

    test('keeps no prompt, output or key in PostgreSQL', () => {
      expect(postgres.query("select distinct jsonb_object_keys(data) from assay_queue.job where name like '%/code'")).toBe('batch')
    })

    test('grades locally what a worker took and left undone', async () => {
      const worker = await join()
      const { id, batch_id } = await submitTaken(worker)
      await machine.call('takeBatch', { params: { worker_id: worker.id, batch_id }, body: { attempt: 0 } })
      await machine.call('leaveWorker', { params: { worker_id: worker.id } })
      expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', progress: { scored: 8 } })
    })

    test('grades locally what a worker took, ended in the queue and never reported', async () => {
      const worker = await join()
      const { id, batch_id } = await submitTaken(worker)
      const params = { worker_id: worker.id, batch_id }
      await machine.call('takeBatch', { params, body: { attempt: 0 } })
      postgres.query(`update assay_queue.job set state = 'completed', completed_on = now() where id = '${batch_id}'`)
      expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', progress: { scored: 8 } })
      const late = { attempt: 0, outcome: { kind: 'grade' as const, scores: [] } }
      expect(await machine.refusal('reportBatch', { params, body: late })).toMatchObject({ code: 'not_found' })
      await machine.call('leaveWorker', { params: { worker_id: worker.id } })
    })

    test('works on its own while PostgreSQL is away, and notices that it is back without any work', async () => {
      const worker = await join()
      const queue = async () => (await service.client.call('listWorkers', {})).queue
      await postgres.crash()
      await expect.poll(queue).toBe('unreachable')
      const id = await submitCode(service)
      expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', progress: { scored: 8 } })
      await postgres.start()
      await expect.poll(queue).toBe('connected')
      await machine.call('leaveWorker', { params: { worker_id: worker.id } })
    })

    test('shares a key only on the word of an owner, sealed for one worker and one server, until it is withdrawn or changed', async () => {
      const body = { name: 'theirs', base_url: 'https://models.example/v1', model: 'm', api_key: 'sk-first', headers: { 'x-team': 'blue' } }
      const { id: connection_id } = await service.client.call('createConnection', { body })
      const plain = await service.client.call('createConnection', { body: { name: 'plain', base_url: body.base_url, model: 'm' } })
      const labels = [`model.${connection_id}`, `model.${plain.id}`]
      const { id: worker_id } = await join({ labels })
      const params = { worker_id, connection_id }
      const lease = async (of = { labels }) => (await machine.call('reportWorker', { params: { worker_id }, body: report(of) })).keys
      expect(await lease()).toEqual([])
      expect(await machine.refusal('shareKey', { params })).toMatchObject({ code: 'missing_scope' })
      const key = (await service.client.call('createApiKey', { body: { name: 'admin', scopes: ['workers:write'] } })).key
      const admin = clientFor(service.baseUrl, key, service.workspaceId)
      expect(await admin.refusal('shareKey', { params })).toMatchObject({ code: 'owner_session_required' })
      const bare = await service.client.refusal('shareKey', { params: { worker_id, connection_id: plain.id } })
      expect(bare).toMatchObject({ code: 'conflict', message: expect.stringContaining('no key to share') })
      const { id: stranger } = await join({ labels: ['code'] })
      const untaken = await service.client.refusal('shareKey', { params: { worker_id: stranger, connection_id } })
      expect(untaken).toMatchObject({ code: 'conflict', message: expect.stringContaining(`--labels model.${connection_id}`) })

      expect((await service.client.call('shareKey', { params })).shared_keys).toMatchObject([{ connection_id }])
      const [shared] = await lease()
      expect(shared).toMatchObject({ connection_id, origin: 'https://models.example' })
      expect(JSON.stringify(shared)).not.toContain('sk-first')
      const purpose = { workerId: worker_id, connectionId: connection_id, origin: 'https://models.example' }
      expect(seals.open(shared?.sealed ?? '', purpose)).toEqual({ api_key: 'sk-first', headers: { 'x-team': 'blue' } })

      await service.client.call('updateConnection', { params: { connection_id }, body: { api_key: 'sk-second' } })
      const [changed] = await lease()
      expect(seals.open(changed?.sealed ?? '', purpose)).toMatchObject({ api_key: 'sk-second' })
      expect((await service.client.call('withdrawKey', { params })).shared_keys).toEqual([])
      expect(await lease()).toEqual([])
      await service.client.call('shareKey', { params })
      await service.client.call('disableConnection', { params: { connection_id } })
      expect(await lease()).toEqual([])
      await machine.call('leaveWorker', { params: { worker_id } })
      const gone = await service.client.refusal('shareKey', { params })
      expect(gone).toMatchObject({ code: 'conflict' })
      expect(postgres.query("select string_agg(data::text, '') from assay_queue.job")).not.toContain('sk-')
    })

    test('refuses another public key of a worker that has joined, and one that no secret can be sealed to', async () => {
      const { id: worker_id } = await join()
      const other = { params: { worker_id }, body: report({ public_key: createSealPair().publicKey }) }
      expect(await machine.refusal('reportWorker', other)).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('another public key'),
      })
      const ofZeros = Buffer.concat([Buffer.from(seals.publicKey, 'base64').subarray(0, 12), Buffer.alloc(32)]).toString('base64')
      for (const public_key of [ofZeros, 'AAAA', '']) {
        const joining = { params: { worker_id: randomUUID() }, body: report({ public_key }) }
        expect(await machine.refusal('reportWorker', joining)).toMatchObject({
          status: 422,
          message: expect.stringContaining('public_key'),
        })
      }
    })

    test('counts what workers exchange in the network log', async () => {
      const { id: worker_id } = await join()
      const traffic = [{ origin: 'https://models.example:8443', requests: 2, sent_bytes: 30, received_bytes: 400 }]
      await join({ traffic }, worker_id)
      await join({ traffic }, worker_id)
      expect((await service.client.call('listNetworkHosts', {})).items).toMatchObject([
        { origin: 'https://models.example:8443', requests: 4, sent_bytes: 60, received_bytes: 800 },
      ])
      const wrong = report({ traffic: [{ origin: 'https://models.example/path?key=1', requests: 1, sent_bytes: 0, received_bytes: 0 }] })
      expect(await machine.refusal('reportWorker', { params: { worker_id }, body: wrong })).toMatchObject({ status: 422 })
      await machine.call('leaveWorker', { params: { worker_id } })
    })

    test('shows and gives nothing to another workspace', async () => {
      const { id: worker_id } = await join()
      const { id: workspaceId } = await service.client.call('createWorkspace', { body: { name: 'Elsewhere' } })
      const elsewhere = clientFor(service.baseUrl, service.file.session_token, workspaceId)
      const params = { worker_id, batch_id: randomUUID() }
      const refusals = [
        await elsewhere.refusal('reportWorker', { params: { worker_id }, body: report() }),
        await elsewhere.refusal('drainWorker', { params: { worker_id } }),
        await elsewhere.refusal('leaveWorker', { params: { worker_id } }),
        await elsewhere.refusal('shareKey', { params: { worker_id, connection_id: randomUUID() } }),
        await elsewhere.refusal('withdrawKey', { params: { worker_id, connection_id: randomUUID() } }),
        await elsewhere.refusal('takeBatch', { params, body: { attempt: 0 } }),
        await elsewhere.refusal('reportBatch', { params, body: { attempt: 0, outcome: { kind: 'grade', scores: [] } } }),
      ]
      expect(refusals.map(({ code, message }) => ({ code, message }))).toEqual(
        refusals.map(() => ({ code: 'not_found', message: `There is no worker "${worker_id}" in this workspace.` })),
      )
      expect((await elsewhere.call('listWorkers', {})).items).toEqual([])
    })
  },
)

async function submitCode({ client }: TestService, beforeSubmit = async (): Promise<void> => {}): Promise<string> {
  const made = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [await profileId(client, 'python-functions', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 8, seed: 5 },
  })
  await beforeSubmit()
  return (await submit(client, made.id)).id
}
