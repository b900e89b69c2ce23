import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

/** As `streamShare` allows one key while there are few streams. */
const usualStreams = 100

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('event streams of one key are capped over HTTP, others and other requests are not, and one that ends makes room', async () => {
  const { client, baseUrl } = service
  const models = await startModelServer({ answers: () => '#### 13', faults: ['ok', 'hang', 'hang'] })
  const { id: connectionId } = await client.call('createConnection', { body: { name: 'slow', base_url: models.baseUrl, model: 'replay' } })
  await client.call('checkConnection', { params: { connection_id: connectionId } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
  })
  const run = await submit(client, quoteId)
  const { key } = await client.call('createApiKey', { body: { name: 'watcher', scopes: ['runs:read'] } })
  const watcher = clientFor(baseUrl, key, service.file.workspace_id)
  const stops: AbortController[] = []
  const watch = async (headers: Readonly<Record<string, string>>) => {
    const stop = new AbortController()
    stops.push(stop)
    const reply = await fetch(`${baseUrl}/v1/runs/${run.id}/events`, { headers, signal: stop.signal })
    // With the reply itself: the stream of one that is garbage ends.
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), stop, reply }
  }
  try {
    const opened = []
    for (let i = 0; i < usualStreams; i++) opened.push(await watch(watcher.headers))
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await watch(watcher.headers)
    expect(refused.status).toBe(429)
    expect(refused.retryAfter).not.toBeNull()
    expect((await watcher.call('getRun', { params: { run_id: run.id } })).status).toBe('running')
    expect((await watch(client.headers)).status).toBe(200)
    opened[0]?.stop.abort()
    await expect.poll(async () => (await watch(watcher.headers)).status).toBe(200)
  } finally {
    for (const stop of stops) stop.abort()
    await client.call('cancelRun', { params: { run_id: run.id } })
    await models.close()
  }
})
