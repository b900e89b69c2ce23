import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noRequestSettings } from '../../../src/contract/connections/request-settings.schemas.ts'
import { type WorkerEndpoint, WorkerRequest } from '../../../src/contract/workers/worker-calls.schemas.ts'
import type { ModelRequest } from '../../../src/engine/clients/model-client.ts'
import { createTrafficCount } from '../../../src/headless/worker/count-traffic.ts'
import { createCaller } from '../../../src/headless/worker/make-calls.ts'
import { connectRemote } from '../../../src/headless/worker/remote-service.ts'
import type { WorkerOptions } from '../../../src/headless/worker/worker-options.ts'
import { sealKey } from '../../../src/service/workers/sealed-key.ts'

const connection_id = '01900000-0000-7000-8000-000000000001'
const headers: IncomingHttpHeaders[] = []
let held: Promise<unknown> = Promise.resolve()
const server = createServer((asked, reply) => {
  headers.push(asked.headers)
  asked.resume()
  void held.then(() => {
    reply.setHeader('content-type', 'application/json')
    reply.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: '42' }, finish_reason: 'stop' }] }))
  })
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.close()
})

function origin(): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return `http://127.0.0.1:${address.port}`
}
const endpoint = (more: Partial<WorkerEndpoint> = {}): WorkerEndpoint => ({
  connection_id,
  protocol: 'openai_chat',
  base_url: `${origin()}/v1`,
  model: 'm',
  streaming: false,
  timeout_ms: 60_000,
  request_settings: noRequestSettings,
  ca_certificates: null,
  ...more,
})
const request = { messages: [{ role: 'user' as const, content: 'Life?' }], temperature: 0, maxOutputTokens: 8, stop: [] }

/** The credentials that the model server sees in calls of a worker; a null changes nothing. */
async function credentials(secret: WorkerOptions['secret'], shared: { of: string; at: string } | null, at: WorkerEndpoint = endpoint()) {
  const traffic = createTrafficCount()
  const caller = createCaller({ join: 'https://eval.example', slots: 2, secret }, traffic.meter)
  try {
    if (shared) {
      const purpose = { workerId: 'w', connectionId: shared.of, origin: shared.at }
      const sealed = sealKey({ api_key: 'shared-key', headers: { 'x-team': 'blue' } }, caller.publicKey, purpose)
      await caller.receive('w', [{ connection_id: shared.of, origin: shared.at, sealed }])
    }
    const call = () => caller.execute({ batch_id: connection_id, kind: 'call', endpoint: at, request }, new AbortController().signal)
    expect(await call()).toMatchObject({ kind: 'call', call: { ok: true, output: '42' } })
    const { authorization, 'api-key': apiKey, 'x-team': team } = headers.at(-1) ?? {}
    const counted = traffic.counted()
    expect(counted).toMatchObject([{ origin: origin(), requests: 1 }])
    await call()
    traffic.settle(counted)
    expect(traffic.counted()).toEqual(counted)
    return { authorization, apiKey, team }
  } finally {
    await caller.close()
  }
}

const own = (header: string | null, at = origin()) => ({ value: 'own-key', origin: at, header })

test('sends no key where it has none', async () => {
  expect(await credentials(null, null)).toEqual({})
})

test('sends its own key as the protocol or the operator says, and only to its origin', async () => {
  expect(await credentials(own(null), null)).toEqual({ authorization: 'Bearer own-key' })
  expect(await credentials(own('api-key'), null)).toEqual({ apiKey: 'own-key' })
  expect(await credentials(own(null, 'https://elsewhere.example'), null)).toEqual({})
})

test('sends a shared key only for its connection and to its origin, and its own before it', async () => {
  const shared = { of: connection_id, at: origin() }
  expect(await credentials(null, shared)).toEqual({ authorization: 'Bearer shared-key', team: 'blue' })
  expect(await credentials(own(null), shared)).toEqual({ authorization: 'Bearer own-key' })
  expect(await credentials(null, { ...shared, at: 'https://elsewhere.example' })).toEqual({})
  expect(await credentials(null, { ...shared, of: '01900000-0000-7000-8000-000000000002' })).toEqual({})
})

test('refuses a key that was sealed for another worker', async () => {
  const caller = createCaller({ join: 'https://eval.example', slots: 2, secret: null }, createTrafficCount().meter)
  const purpose = { workerId: 'another', connectionId: connection_id, origin: origin() }
  const sealed = sealKey({ api_key: 'shared-key', headers: {} }, caller.publicKey, purpose)
  await expect(caller.receive('w', [{ connection_id, origin: origin(), sealed }])).rejects.toThrow()
  await caller.close()
})

test('keeps neither a withdrawn key nor a connection that was opened with it once the calls that have it have ended', async () => {
  const caller = createCaller({ join: 'https://eval.example', slots: 2, secret: null }, createTrafficCount().meter)
  const purpose = { workerId: 'w', connectionId: connection_id, origin: origin() }
  const share = (api_key: string) =>
    caller.receive('w', [{ connection_id, origin: origin(), sealed: sealKey({ api_key, headers: {} }, caller.publicKey, purpose) }])
  const ask = () => caller.execute({ batch_id: connection_id, kind: 'call', endpoint: endpoint(), request }, new AbortController().signal)
  const sockets = () =>
    new Promise<number>((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
  await expect.poll(sockets).toBe(0)
  await share('first')
  await ask()
  await share('first')
  await ask()
  expect(await sockets()).toBeGreaterThan(0)
  await share('second')
  await expect.poll(sockets).toBe(0)
  const release = Promise.withResolvers<null>()
  held = release.promise
  const asked = headers.length
  const running = ask()
  await expect.poll(() => headers.length).toBe(asked + 1)
  await caller.receive('w', [])
  expect(await sockets()).toBeGreaterThan(0)
  release.resolve(null)
  expect(await running).toMatchObject({ call: { ok: true } })
  await expect.poll(sockets).toBe(0)
  await ask()
  expect(headers.slice(asked).map(({ authorization }) => authorization)).toEqual(['Bearer second', undefined])
  await caller.close()
})

test('keeps no key of an earlier list where one of the next list cannot be opened', async () => {
  const caller = createCaller({ join: 'https://eval.example', slots: 2, secret: null }, createTrafficCount().meter)
  const sealedFor = (workerId: string) =>
    sealKey({ api_key: 'withdrawn', headers: {} }, caller.publicKey, { workerId, connectionId: connection_id, origin: origin() })
  await caller.receive('w', [{ connection_id, origin: origin(), sealed: sealedFor('w') }])
  await expect(caller.receive('w', [{ connection_id, origin: origin(), sealed: sealedFor('another') }])).rejects.toThrow()
  const asked = headers.length
  await caller.execute({ batch_id: connection_id, kind: 'call', endpoint: endpoint(), request }, new AbortController().signal)
  expect(headers.slice(asked).map(({ authorization }) => authorization)).toEqual([undefined])
  await caller.close()
})

test('names the service that it cannot reach', async () => {
  await expect(connectRemote('http://127.0.0.1:1', 'asy_key')).rejects.toThrow('No Assay answers at http://127.0.0.1:1')
})

test('a worker is told everything that a request may say', () => {
  const said: Readonly<Record<keyof ModelRequest, true>> = {
    messages: true,
    given: true,
    tools: true,
    temperature: true,
    maxOutputTokens: true,
    stop: true,
    reasoning: true,
    effort: true,
    responseFormat: true,
    maxImagePixels: true,
  }
  expect(Object.keys(WorkerRequest.shape).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    Object.keys(said).toSorted((a, b) => (a < b ? -1 : 1)),
  )
})
