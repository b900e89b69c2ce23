import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Clock } from '../../src/service/kernel.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { backfill, connect, type TestedProvider, startProvider, until } from '../support/trace-providers/connected.ts'
import { fakeTraces, iso, type ScriptedServer } from '../support/trace-providers/scripted-server.ts'

const begin = Date.parse('2026-11-10T00:00:00Z')
const window = { from: iso(begin), to: iso(begin + 7_200_000) }
let service: TestService
let offset = 0
const clock: Clock = { now: () => new Date(Date.now() + offset) }
const servers: ScriptedServer[] = []

beforeAll(async () => {
  service = await startTestService({}, clock)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(() => service.close())

async function start(provider: TestedProvider, traces = fakeTraces(600, begin)) {
  const server = await startProvider(provider, traces)
  servers.push(server)
  return { server, id: (await connect(service.client, provider, server.url)).id }
}

const ofSpans = /observations|traces\/query|btql/

test('a rejected cursor begins the window again, once, and what was read is recognized', async () => {
  const { server, id } = await start('langfuse')
  let refused = 0
  server.intercept = ({ path, query }) =>
    ofSpans.test(path) && query.get('cursor') !== null && refused++ === 0 ? { status: 400, body: { message: 'Invalid cursor' } } : null
  expect((await backfill(service.client, id, window)).backfill).toMatchObject({
    traces: 600,
    new_spans: 1800,
    finished_at: expect.any(String),
  })
  server.intercept = ({ path, query }) =>
    ofSpans.test(path) && query.get('cursor') !== null ? { status: 400, body: { message: 'Invalid cursor' } } : null
  const failed = await backfill(service.client, id, window)
  expect(failed).toMatchObject({ status: 'connected', last_error: { code: 'provider_error' } })
  expect(failed.last_error?.message).toContain('Invalid cursor')
})

test.each([
  ['a cursor that repeats', (cursor: string) => ({ data: [], meta: { cursor } }), 'same cursor twice'],
  ['an empty page with a cursor', () => ({ data: [], meta: { cursor: `c${Math.random()}` } }), 'empty page'],
] as const)('%s ends the backfill with its reason', async (_name, body, reason) => {
  const { server, id } = await start('langfuse')
  server.intercept = ({ path, query }) => {
    const cursor = query.get('cursor')
    return ofSpans.test(path) && cursor !== null ? { status: 200, body: body(cursor) } : null
  }
  const { status, last_error, backfill: read } = await backfill(service.client, id, window)
  expect(status).toBe('connected')
  expect(last_error?.message).toContain(reason)
  expect(read).toMatchObject({ pages: 1, finished_at: expect.any(String) })
})

test('a window that is too much for Langfuse is halved until it is not', async () => {
  const { server, id } = await start('langfuse')
  const limit = 20 * 60_000
  server.intercept = ({ path, query }) => {
    const length = Date.parse(query.get('toStartTime') ?? '') - Date.parse(query.get('fromStartTime') ?? '')
    return ofSpans.test(path) && length > limit ? { status: 422, body: { message: 'Request timed out', error: 'Request timed out' } } : null
  }
  expect((await backfill(service.client, id, window)).backfill).toMatchObject({ traces: 600, spans: 1800, new_spans: 1800 })
})

test('a limit that is too much for Braintrust is halved, down to 25', async () => {
  const { server, id } = await start('braintrust', fakeTraces(40, begin))
  const limits: number[] = []
  server.intercept = ({ path, body }) => {
    if (path !== '/btql') return null
    const limit = Number(/limit: (\d+)/.exec(String(body['query']))?.[1])
    limits.push(limit)
    return limit > 25 ? { status: 504, body: 'Timed out' } : null
  }
  expect((await backfill(service.client, id, window)).backfill).toMatchObject({ traces: 40, spans: 120, new_spans: 120 })
  expect(limits.slice(0, 7)).toEqual([1000, 500, 250, 125, 62, 31, 25])
})

test('a failing server is retried, and a non-JSON reply ends the backfill', async () => {
  const { server, id } = await start('langsmith', fakeTraces(3, begin))
  let failures = 0
  server.intercept = ({ path }) =>
    ofSpans.test(path) && failures++ < 1 ? { status: 503, body: 'Try later', headers: { 'retry-after': '0' } } : null
  expect((await backfill(service.client, id, window)).backfill).toMatchObject({ traces: 3, new_spans: 9 })
  server.intercept = ({ path }) => (ofSpans.test(path) ? { status: 200, body: '<html>' } : null)
  expect((await backfill(service.client, id, window)).last_error?.message).toContain('not valid JSON')
})

test('a window that is followed is read on, with an overlap that finds late spans', async () => {
  const traces = fakeTraces(3, Date.now() - 3_600_000)
  const { server, id } = await start('braintrust', traces)
  const params = { integration_id: id }
  await service.client.call('backfillTraces', { params, body: { from: iso(Date.now() - 7_200_000), follow: true } })
  const first = await until(service.client, id, ({ status }) => status === 'connected')
  expect(first.backfill).toMatchObject({ traces: 3, follow: true })
  const seen = server.requests.length
  offset += 16 * 60_000
  const second = await until(
    service.client,
    id,
    ({ status, backfill: read }) => status === 'connected' && read?.started_at !== first.backfill?.started_at,
  )
  expect(Date.parse(second.backfill?.from ?? '')).toBe(Date.parse(first.backfill?.to ?? '') - 30 * 60_000)
  expect(second.backfill).toMatchObject({ follow: true, new_spans: 0 })
  expect(server.requests.length).toBeGreaterThan(seen)
})

test('a cancelled job leaves the integration connected, with the reason', async () => {
  const { server, id } = await start('langfuse', fakeTraces(3, begin))
  server.intercept = ({ path }) => (ofSpans.test(path) ? { status: 429, body: {}, headers: { 'retry-after': '600' } } : null)
  await service.client.call('backfillTraces', { params: { integration_id: id }, body: window })
  const { job_id } = await until(service.client, id, integration => Boolean(integration.backfill?.retry_at))
  await service.client.call('cancelJob', { params: { job_id: job_id ?? '' } })
  expect(await until(service.client, id, ({ status }) => status === 'connected')).toMatchObject({
    last_error: { code: 'cancelled' },
    backfill: { retry_at: null },
  })
})
