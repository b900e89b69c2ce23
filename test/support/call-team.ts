import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { type ChildService, startChildService } from './child-service.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { profileId, quote, runToEnd, submit } from './runs.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { type ChildWorker, startWorker, type WorkerOptions, workerKey } from './worker.ts'

/** Samples of each run. */
export const samples = 60
/** The connection's limit of calls at once. */
export const mostAtOnce = 4

/** A service, its queue, and a model server that counts what reaches it. */
export type CallTeam = Awaited<ReturnType<typeof startCallTeam>>

/** @param publicUrl where workers on other machines would reach the service */
export async function startCallTeam(publicUrl = 'https://eval.example') {
  const folder = temporaryFolder()
  const workers: ChildWorker[] = []
  const models = await countingModels()
  const postgres: Postgres = await startPostgres()
  const serve = (port = '0') =>
    startChildService(folder.path, ['--allow-remote', '--behind-proxy', publicUrl, '--queue', postgres.url, '--port', port])
  let service: ChildService = await serve()
  const key = await workerKey(service.client)
  const limits = { max_concurrency: mostAtOnce }
  const body = { name: 'theirs', base_url: `${models.url}/v1`, model: 'replay', api_key: 'key-of-the-service', limits }
  const connectionId = (await service.client.call('createConnection', { body })).id
  await service.client.call('checkConnection', { params: { connection_id: connectionId } })
  const submitCalls = async () => {
    const made = await quote(service.client, {
      model: { kind: 'connection', connection_id: connectionId },
      profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: samples, seed: 11 },
      execution: { cache: false },
    })
    return (await submit(service.client, made.id, 'calls', randomUUID())).id
  }
  /** All of a run's result that does not depend on when and where it ran. */
  const outcome = async (run_id: string) => {
    expect(await runToEnd(service.client, service.baseUrl, run_id)).toMatchObject({ status: 'complete', progress: { scored: samples } })
    const { metrics, coverage, reproducibility } = await service.client.call('getRunResults', { params: { run_id } })
    return { metrics, coverage, digest: reproducibility.samples_digest }
  }
  const local = await outcome(await submitCalls())

  return {
    dataDir: folder.path,
    seen: models.seen,
    modelUrl: models.url,
    postgres,
    connectionId,
    /** Of a run before any worker joined. */
    local,
    submitCalls,
    outcome,
    service: () => service,
    hold: models.hold,
    release: models.release,
    join: async (name: string, more: Partial<WorkerOptions> & { readonly ownKey?: boolean } = {}) => {
      const { ownKey = true, ...options } = more
      const secret = ownKey ? ['--secret-env=OWN_KEY', `--secret-origin=${models.url}`] : []
      const worker = await startWorker({
        name,
        join: service.baseUrl,
        queue: postgres.url,
        key,
        args: [`--labels=model.${connectionId}`, '--slots=16', ...secret],
        ...options,
        env: { OWN_KEY: 'key-of-the-worker', ...options.env },
      })
      workers.push(worker)
      return worker
    },
    restart: async () => {
      const { port } = new URL(service.baseUrl)
      await service.kill()
      service = await serve(port)
    },
    /** Attempts of the last run. */
    attempts: (where = 'true'): number => {
      const db = openDatabase(`${folder.path}/assay.db`, { readonly: true })
      try {
        const sql = `select count(*) from attempts where run_no = (select max(no) from runs) and ${where}`
        return Number(Object.values(Object(db.prepare(sql).get()))[0])
      } finally {
        db.close()
      }
    },
    close: async () => {
      models.release()
      for (const worker of workers) await worker.kill()
      await service.kill()
      models.close()
      await postgres.close()
      folder.remove()
    },
  }
}

/** Answers after a while by the length of the question; holds its answers back where a test asks for it. */
async function countingModels() {
  const seen = { requests: 0, inFlight: 0, most: 0, keys: new Set<string>() }
  let gate = Promise.resolve()
  let open = () => {}
  const models = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      seen.requests++
      seen.most = Math.max(seen.most, ++seen.inFlight)
      response.once('close', () => seen.inFlight--)
      seen.keys.add(request.headers.authorization ?? 'none')
      await Promise.all([gate, delay(60)])
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
  return {
    seen,
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    /** Answers nothing until `release`. */
    hold: () => {
      const held = Promise.withResolvers<void>()
      gate = held.promise
      open = held.resolve
    },
    release: () => open(),
    close: () => {
      models.closeAllConnections()
      models.close()
    },
  }
}
