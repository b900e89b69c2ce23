import { afterEach, expect, test, vi } from 'vitest'
import { createNetworkLog } from '../../src/service/network/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import pino from 'pino'
import { movingClock } from '../support/moving-clock.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService } from '../support/service.ts'
import { connect, providers, startProvider } from '../support/trace-providers/connected.ts'
import { fakeTraces } from '../support/trace-providers/scripted-server.ts'

const opened: { close(): Promise<void> | void }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

async function modelServer(): Promise<ModelServer> {
  const server = await startModelServer({ answers: () => '#### 1' })
  opened.push(server)
  return server
}

const silent = pino({ level: 'silent' })

test('every server that was talked to is listed with its requests and bytes, for its workspace alone, also after a restart', async () => {
  const service = await startTestService()
  opened.push(service)
  const { client } = service
  expect(await client.call('listNetworkHosts', {})).toEqual({ items: [], next_cursor: null })

  const server = await modelServer()
  const { id } = await client.call('createConnection', { body: { name: 'local', base_url: server.baseUrl, model: 'replay' } })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 6, seed: 1 },
  })
  const run = await runToEnd(client, service.baseUrl, (await submit(client, quoteId)).id)
  expect(run.status).toBe('complete')

  // Six samples, the check, and where a server of one’s own may say its context length: its models, LM Studio’s, Ollama’s.
  const { items } = await client.call('listNetworkHosts', {})
  expect(items).toMatchObject([{ origin: new URL(server.baseUrl).origin, requests: 10 }])
  const samples = await client.call('listSamples', { params: { run_id: run.id } })
  const details = await Promise.all(
    samples.items.map(({ id: sample_id }) => client.call('getSample', { params: { run_id: run.id, sample_id } })),
  )
  const bytes = (text: string | null | undefined) => Buffer.byteLength(text ?? '')
  const transcripts = details.flatMap(({ attempt_log }) => attempt_log)
  expect(transcripts).toHaveLength(6)
  const sent = transcripts.reduce((sum, { request }) => sum + bytes(request), 0)
  const received = transcripts.reduce((sum, { response }) => sum + bytes(response), 0)
  expect(sent).toBeGreaterThan(0)
  // The check of the connection comes on top.
  expect(items[0]?.sent_bytes).toBeGreaterThan(sent)
  expect(items[0]?.sent_bytes).toBeLessThan(sent + 1000)
  expect(items[0]?.received_bytes).toBeGreaterThan(received)

  await service.restart()
  expect((await service.client.call('listNetworkHosts', {})).items).toEqual(items)
  const other = await service.client.call('createWorkspace', { body: { name: 'Other' } })
  const inside = clientFor(service.baseUrl, service.file.session_token, other.id)
  expect((await inside.call('listNetworkHosts', {})).items).toEqual([])
})

test('calls are added up in memory and stored together, page by page in the order of addresses', async () => {
  const service = await startTestService()
  opened.push(service)
  const { workspaceId, dataDir } = service
  await service.client.call('getMe', {})
  const clock = movingClock()
  const db = openDatabase(`${dataDir}/assay.db`)
  opened.push(db)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const log = createNetworkLog({
    db,
    clock,
    log: silent,
    storage: { attempt: write => write() },
  })
  const meter = log.meterFor(workspaceId)
  const stored = () => Number(db.prepare('select coalesce(sum(requests), 0) from network_hosts').pluck().get())
  for (let i = 0; i < 1000; i++) {
    clock.advance(1)
    meter(`https://models-${i % 3}.example`, 100, 200)
  }
  expect(stored()).toBe(0)
  vi.advanceTimersByTime(5_000)
  expect(stored()).toBe(1000)
  meter('https://models-1.example', 0, 7)
  vi.useRealTimers()
  const first = log.list(workspaceId, { limit: 2 })
  expect(first.items.map(({ origin, requests }) => [origin, requests])).toEqual([
    ['https://models-0.example', 334],
    ['https://models-1.example', 334],
  ])
  expect(first.items[1]?.received_bytes).toBe(333 * 200 + 7)
  const second = log.list(workspaceId, { limit: 2, cursor: first.next_cursor ?? '' })
  expect(second.items.map(({ origin }) => origin)).toEqual(['https://models-2.example'])
  expect(second.next_cursor).toBeNull()
  log.close()
})

test('a total that no reader could hold stays at the largest that one can, also where it was stored before', async () => {
  const service = await startTestService()
  opened.push(service)
  const { workspaceId, dataDir } = service
  await service.client.call('getMe', {})
  const db = openDatabase(`${dataDir}/assay.db`)
  opened.push(db)
  const log = createNetworkLog({ db, clock: movingClock(), log: silent, storage: { attempt: write => write() } })
  const origin = 'https://models.example'
  log.add(workspaceId, { origin, requests: 1, sent_bytes: 1, received_bytes: 1 })
  log.list(workspaceId, { limit: 1 })
  db.prepare('update network_hosts set requests = 9223372036854775807').run()
  log.add(workspaceId, { origin, requests: 1, sent_bytes: Number.MAX_SAFE_INTEGER, received_bytes: 1 })
  log.add(workspaceId, { origin, requests: 1, sent_bytes: Number.MAX_SAFE_INTEGER, received_bytes: 1 })
  expect(log.list(workspaceId, { limit: 1 }).items).toMatchObject([
    { requests: Number.MAX_SAFE_INTEGER, sent_bytes: Number.MAX_SAFE_INTEGER, received_bytes: 3 },
  ])
  log.close()
})

test('servers beyond two thousand, which a worker may invent, share one row', async () => {
  const service = await startTestService()
  opened.push(service)
  const { workspaceId, dataDir } = service
  await service.client.call('getMe', {})
  const db = openDatabase(`${dataDir}/assay.db`)
  opened.push(db)
  const log = createNetworkLog({ db, clock: movingClock(), log: silent, storage: { attempt: write => write() } })
  for (let i = 0; i < 2_050; i++) log.add(workspaceId, { origin: `https://${i}.example`, requests: 1, sent_bytes: 0, received_bytes: 0 })
  log.list(workspaceId, { limit: 1 })
  log.add(workspaceId, { origin: 'https://7.example', requests: 1, sent_bytes: 0, received_bytes: 0 })
  log.list(workspaceId, { limit: 1 })
  const rows = db.prepare('select origin, requests from network_hosts where requests > 1 order by origin').all()
  expect(rows).toEqual([
    { origin: 'https://7.example', requests: 2 },
    { origin: 'others', requests: 50 },
  ])
  expect(db.prepare('select count(*) from network_hosts').pluck().get()).toBe(2_001)
  log.close()
})

test.each(providers)('%s as a provider of traces is listed by its address', async provider => {
  const service = await startTestService()
  opened.push(service)
  const server = await startProvider(provider, fakeTraces(1, Date.UTC(2026, 0, 1)))
  opened.push(server)
  await connect(service.client, provider, server.url)
  const { items } = await service.client.call('listNetworkHosts', {})
  expect(items.map(({ origin }) => origin)).toEqual([new URL(server.url).origin])
})
