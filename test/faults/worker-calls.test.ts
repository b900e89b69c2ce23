import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examine } from '../../src/service/doctor/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ChildWorker, startWorker, workerKey } from '../support/worker.ts'

const samples = 60
const mostAtOnce = 4
/** What takes long and is proved in parts elsewhere. */
const isLong = process.env['ASSAY_KILLS'] !== undefined

describe.skipIf(postgresMissing !== null)(`calls of workers${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`, () => {
  const folder = temporaryFolder()
  const workers: ChildWorker[] = []
  const seen = { requests: 0, inFlight: 0, most: 0, keys: new Set<string>() }
  let models: Server
  let modelUrl: string
  let postgres: Postgres
  let service: ChildService
  let key: string
  let connectionId: string
  let local: Awaited<ReturnType<typeof outcome>>

  beforeAll(async () => {
    models = createServer((request, response) => {
      void (async () => {
        let body = ''
        for await (const chunk of request) body += String(chunk)
        seen.requests++
        seen.most = Math.max(seen.most, ++seen.inFlight)
        response.once('close', () => seen.inFlight--)
        seen.keys.add(request.headers.authorization ?? 'none')
        await delay(60)
        const content = `#### ${body.length % 7 === 0 ? 12 : 13}`
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
          }),
        )
      })()
    }).listen(0, '127.0.0.1')
    await once(models, 'listening')
    const address = models.address()
    modelUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    postgres = await startPostgres()
    service = await startChildService(folder.path, ['--allow-remote', '--behind-proxy', 'https://eval.example', '--queue', postgres.url])
    key = await workerKey(service.client)
    const limits = { max_concurrency: mostAtOnce }
    const body = { name: 'theirs', base_url: `${modelUrl}/v1`, model: 'replay', api_key: 'key-of-the-service', limits }
    connectionId = (await service.client.call('createConnection', { body })).id
    await service.client.call('checkConnection', { params: { connection_id: connectionId } })
    local = await outcome(await submitCalls())
    expect([...seen.keys]).toEqual(['Bearer key-of-the-service'])
  })
  afterAll(async () => {
    for (const worker of workers) await worker.kill()
    await service.kill()
    models.closeAllConnections()
    models.close()
    await postgres.close()
    folder.remove()
  })

  const own = () => ['--secret-env=OWN_KEY', `--secret-origin=${modelUrl}`]
  const join = async (name: string, secret: readonly string[] = own()) => {
    const args = [`--labels=model.${connectionId}`, '--slots=16', ...secret]
    const worker = await startWorker({ name, join: service.baseUrl, queue: postgres.url, key, args, env: { OWN_KEY: 'key-of-the-worker' } })
    workers.push(worker)
    return worker
  }
  const submitCalls = async () => {
    const made = await quote(service.client, {
      model: { kind: 'connection', connection_id: connectionId },
      profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: samples, seed: 11 },
      execution: { cache: false },
    })
    return (await submit(service.client, made.id, 'calls', randomUUID())).id
  }
  async function outcome(run_id: string) {
    expect(await runToEnd(service.client, service.baseUrl, run_id)).toMatchObject({ status: 'complete', progress: { scored: samples } })
    const { metrics, coverage, reproducibility } = await service.client.call('getRunResults', { params: { run_id } })
    return { metrics, coverage, digest: reproducibility.samples_digest }
  }
  const attempts = (where: string): number => {
    const db = openDatabase(`${folder.path}/assay.db`, { readonly: true })
    try {
      return Number(Object.values(Object(db.prepare(`select count(*) from attempts where ${where}`).get()))[0])
    } finally {
      db.close()
    }
  }
  const lastRun = 'run_no = (select max(no) from runs)'

  it('are those of a local run, within the connection’s limit and with the worker’s own key', { timeout: 60_000 }, async () => {
    Object.assign(seen, { requests: 0, most: 0 })
    seen.keys.clear()
    await join('one')
    expect(await outcome(await submitCalls())).toEqual(local)
    expect(seen).toMatchObject({ requests: samples })
    expect(seen.most).toBeLessThanOrEqual(mostAtOnce)
    expect([...seen.keys]).toEqual(['Bearer key-of-the-worker'])
    expect(attempts(lastRun)).toBe(samples)
    const { items } = await service.client.call('listWorkers', {})
    expect(items.map(worker => worker.samples)).toEqual([samples])
    await workers.splice(0)[0]?.stop()
    const { items: hosts } = await service.client.call('listNetworkHosts', {})
    // The check of the connection, the local run, and this one.
    expect(hosts).toMatchObject([{ origin: modelUrl, requests: 1 + 2 * samples }])
  })

  it.runIf(isLong)('carry the key that an owner shares with a worker', { timeout: 60_000 }, async () => {
    await join('bare', [])
    const { items } = await service.client.call('listWorkers', {})
    const worker_id = items.find(({ name }) => name === 'bare')?.id ?? ''
    await service.client.call('shareKey', { params: { worker_id, connection_id: connectionId } })
    // The worker has it with its next heartbeat.
    const beats = async () => (await service.client.call('listWorkers', {})).items.find(({ id }) => id === worker_id)?.last_seen_at
    const before = await beats()
    await expect.poll(beats).not.toBe(before)
    seen.keys.clear()
    expect(await outcome(await submitCalls())).toEqual(local)
    expect([...seen.keys]).toEqual(['Bearer key-of-the-service'])
    await workers.splice(0)[0]?.stop()
  })

  it('of a worker that is killed count as possibly billed, and are retried', { timeout: 120_000 }, async () => {
    const killed = await join('killed')
    seen.requests = 0
    const id = await submitCalls()
    await expect.poll(() => seen.requests).toBeGreaterThan(8)
    await killed.kill()
    await join('heir')
    expect(await outcome(id)).toEqual(local)
    const lost = attempts(`${lastRun} and error_code = 'worker_lost'`)
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThanOrEqual(mostAtOnce)
    const run = await service.client.call('getRun', { params: { run_id: id } })
    expect(run.accounting.possibly_billed_twice).toBe(lost)
    // Every request that reached the model server is recorded; one that was lost may have reached it or not.
    expect(seen.requests).toBeLessThanOrEqual(attempts(lastRun))
    expect(seen.requests).toBeGreaterThanOrEqual(attempts(lastRun) - lost)
    expect(seen.most).toBeLessThanOrEqual(mostAtOnce)
  })

  it('that are cancelled end at the worker, and are recorded', { timeout: 60_000 }, async () => {
    seen.requests = 0
    const id = await submitCalls()
    await expect.poll(() => seen.requests).toBeGreaterThan(8)
    await service.client.call('cancelRun', { params: { run_id: id } })
    expect((await runToEnd(service.client, service.baseUrl, id)).status).toMatch(/cancelled|partial/)
    expect(seen.inFlight).toBe(0)
    expect(attempts(lastRun)).toBe(seen.requests)
    await service.stop()
    const { findings } = examine({ dataDir: folder.path, backup: false, now: new Date() })
    expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
  })
})
