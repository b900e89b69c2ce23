import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { httpHead, type WireScript } from '../../journeys/model-server/fault-server.ts'
import { patience } from '../../support/machine-speed.ts'
import { ask, clientFor, failureIn, faultServer, outcomeOf } from './client-under-test.ts'
import { completion, delta, event, events, httpChunk, reply } from './scripted-replies.ts'

const head = httpHead(200, { 'content-type': 'application/json', 'content-length': '500' })

/** Far shorter than any wait of the script, far longer than the machine needs. */
const short = { attemptTimeoutMs: 150 }
/** Of `clientFor`: ends what waits for more than it needs. */
const deadlineMs = 60_000

describe('time', () => {
  const silent: Readonly<Record<string, WireScript>> = {
    'no answer at all': [],
    'a head and no more': [{ send: head }],
    'half a head': [{ send: 'HTTP/1.1 200 OK\r\ncontent-ty' }],
    'a byte now and then': [{ send: head }, { repeat: ' ', everyMs: 20 }],
    'comments now and then': [...events([], []), { repeat: httpChunk(': ping\n\n'), everyMs: 20 }],
    'tokens for ever': [...events([], []), { repeat: httpChunk(event(delta('word '))), everyMs: 20 }],
  }

  test.each(Object.entries(silent))('%s: the deadline ends it', async (_, script) => {
    const server = await faultServer(script)
    const failure = failureIn(await ask(clientFor(server.baseUrl, short)))
    expect(failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('no complete answer within 150 ms') })
    expect(failure.latencyMs).toBeLessThan(2_000 * patience())
    await server.left(0)
  })

  test('a silence in the middle ends it before the deadline', async () => {
    const failure = failureIn(await outcomeOf([{ send: head }, { send: '{"choi' }], { idleTimeoutMs: 100 }))
    expect(failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('fell silent') })
  })

  test('an answer just inside the deadline counts', async () => {
    const late: WireScript = [{ waitMs: 100 }, ...reply(200, completion())]
    expect(await outcomeOf(late, { attemptTimeoutMs: 20_000 })).toMatchObject({ ok: true, output: '4' })
  })

  test('an answer after the deadline changes nothing', async () => {
    const server = await faultServer([{ waitMs: deadlineMs }, ...reply(200, completion())])
    expect(failureIn(await ask(clientFor(server.baseUrl, short))).code).toBe('timeout')
    await server.left(0)
  })
})

describe('size', () => {
  test('a body over the limit is cut off there', async () => {
    const big = [{ send: httpHead(200, { 'transfer-encoding': 'chunked' }) }, { repeat: httpChunk('A'.repeat(10_000)), everyMs: 0 }]
    const server = await faultServer(big)
    const failure = failureIn(await ask(clientFor(server.baseUrl)))
    expect(failure).toMatchObject({ code: 'response_too_large', message: expect.stringContaining('passed 16 MB') })
    expect(failure.response?.length).toBe(16_000_000)
    await server.left(0)
  })

  test('a body just at the limit is read', async () => {
    const body = completion()
    expect(await outcomeOf(reply(200, body), { maxResponseBytes: body.length })).toMatchObject({ ok: true })
    expect(await outcomeOf(reply(200, body), { maxResponseBytes: body.length - 1 })).toMatchObject({ code: 'response_too_large' })
  })

  test('a gzip bomb stops at the limit of decoded bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'A'))
    expect(bomb.length).toBeLessThan(100_000)
    const failure = failureIn(await outcomeOf(reply(200, bomb, { 'content-encoding': 'gzip' })))
    expect(failure.code).toBe('response_too_large')
    expect(failure.response?.length).toBe(bomb.length)
  })

  test('an endless error body is read no further than its beginning', async () => {
    const script: WireScript = [
      { send: httpHead(500, { 'transfer-encoding': 'chunked' }) },
      { repeat: httpChunk('A'.repeat(10_000)), everyMs: 0 },
    ]
    const failure = failureIn(await outcomeOf(script))
    expect(failure.code).toBe('provider_failure')
    expect(failure.response?.length).toBe(65_536)
  })

  test('the body of a redirect is not waited for', async () => {
    const failure = failureIn(await outcomeOf([{ send: httpHead(302, { location: 'http://evil.test', 'content-length': '10' }) }]))
    expect(failure.code).toBe('redirect_refused')
    expect(failure.latencyMs).toBeLessThan(deadlineMs)
  })
})

describe('cancelling', () => {
  const moments: Readonly<Record<string, WireScript>> = {
    'before the head': [],
    'in the body': [{ send: head }, { send: '{"choi' }],
    'in a stream': events([event(delta('4'))], []),
  }

  test.each(Object.entries(moments))('%s aborts the call immediately and frees the connection', async (_, script) => {
    const server = await faultServer(script)
    const halt = new AbortController()
    const call = ask(clientFor(server.baseUrl), halt.signal)
    await server.arrived(0)
    halt.abort()
    const { code, latencyMs } = failureIn(await call)
    expect(code).toBe('cancelled')
    expect(latencyMs).toBeLessThan(deadlineMs)
    await server.left(0)
  })

  test('before the call sends nothing', async () => {
    const server = await faultServer(reply(200, completion()))
    expect(failureIn(await ask(clientFor(server.baseUrl), AbortSignal.abort()))).toMatchObject({ code: 'cancelled', request: null })
    expect(server.requests()).toBe(0)
  })

  test('while waiting for a free connection sends nothing, also later', async () => {
    const server = await faultServer([{ waitMs: 50 }, ...reply(200, completion())])
    const client = clientFor(server.baseUrl, { connections: 1 })
    const halt = new AbortController()
    const calls = [ask(client), ask(client, halt.signal)]
    await server.arrived(0)
    halt.abort()
    expect(await calls[1]).toMatchObject({ code: 'cancelled', request: null })
    expect(await calls[0]).toMatchObject({ ok: true })
    expect(await ask(client)).toMatchObject({ ok: true })
    expect(server.requests()).toBe(2)
  })

  test('closing the client cancels what is in flight', async () => {
    const server = await faultServer([])
    const client = clientFor(server.baseUrl)
    const call = ask(client)
    await server.arrived(0)
    await client.close()
    expect(failureIn(await call).code).toBe('cancelled')
    expect(failureIn(await ask(client)).code).toBe('cancelled')
    await server.left(0)
  })
})
