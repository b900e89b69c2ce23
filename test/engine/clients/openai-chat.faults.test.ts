import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type FailureCode, failureCodes } from '../../../src/contract/runs/failure-codes.ts'
import { isBillUnknown } from '../../../src/engine/clients/pricing/unknown-bill.ts'
import { httpHead, type WireScript } from '../../journeys/model-server/fault-server.ts'
import { listen } from '../../journeys/model-server/listen.ts'
import { ask, clientFor, failureIn, faultServer, outcomeOf, textOf } from './client-under-test.ts'
import { completion, errorReply, reply } from './scripted-replies.ts'
import { selfSigned } from './self-signed-certificate.ts'

/** Script, the one code it must lead to, and what its message must say. */
const faults: Readonly<Record<string, readonly [WireScript, FailureCode, RegExp]>> = {
  '400': [errorReply(400, { message: 'too long' }), 'bad_request', /refused this request \(HTTP 400: “too long”\)/],
  '400 with the problem as plain text': [reply(400, 'no idea'), 'bad_request', /\(HTTP 400: “no idea”\)/],
  '401': [errorReply(401), 'credential_refused', /Check the key/],
  '402': [errorReply(402, { message: 'pay first' }), 'quota_exhausted', /no quota left \(HTTP 402: “pay first”\)/],
  '403': [errorReply(403), 'credential_refused', /HTTP 403/],
  '404': [errorReply(404, { message: 'no such model' }), 'model_not_found', /“test-model” \(HTTP 404: “no such model”\)/],
  '408': [reply(408), 'timeout', /timed out waiting/],
  '409': [reply(409), 'provider_failure', /HTTP 409/],
  '410': [reply(410), 'model_not_found', /HTTP 410/],
  '413': [errorReply(413), 'bad_request', /HTTP 413/],
  '418': [reply(418), 'bad_request', /HTTP 418/],
  '422 as FastAPI says it': [reply(422, '{"detail":"field required"}'), 'bad_request', /“field required”/],
  '425': [reply(425), 'provider_failure', /HTTP 425/],
  '429': [errorReply(429, { message: 'slow down' }), 'rate_limited', /asks for a pause \(HTTP 429: “slow down”\)/],
  '429 without quota': [errorReply(429, { message: 'x', code: 'insufficient_quota' }), 'quota_exhausted', /no quota left/],
  '429 at a spend limit': [errorReply(429, { type: 'contract_spend_limit_reached' }), 'quota_exhausted', /“contract_spend_limit_reached”/],
  '500': [reply(500), 'provider_failure', /failed \(HTTP 500\)/],
  '500 as Ollama says it': [reply(500, '{"error":"out of memory"}'), 'provider_failure', /“out of memory”/],
  '502': [reply(502, '<html>Bad gateway</html>'), 'provider_failure', /HTTP 502/],
  '503': [reply(503), 'provider_failure', /HTTP 503/],
  '504': [reply(504), 'provider_failure', /HTTP 504/],
  '529': [reply(529), 'provider_failure', /HTTP 529/],
  '500 cut off in its body': [
    [{ send: httpHead(500, { 'content-length': '5000' }) }, { send: '{"err' }, 'fin'],
    'provider_failure',
    /HTTP 500/,
  ],
  '200 with an error': [errorReply(200, { message: 'broken' }), 'provider_failure', /“broken”/],
  '200 with the words of an overload': [errorReply(200, { message: 'overloaded' }), 'rate_limited', /“overloaded”/],
  '200 with a throttling error': [errorReply(200, { message: 'x', code: 429 }), 'rate_limited', /HTTP 429/],
  '200 with an overload': [errorReply(200, { message: 'x', code: 529 }), 'rate_limited', /HTTP 529/],
  '200 with an error of no quota': [errorReply(200, { code: 'insufficient_quota' }), 'quota_exhausted', /no quota left/],
  '200 with an unknown model': [errorReply(200, { code: 'model_not_found' }), 'model_not_found', /test-model/],
  '200 with vLLM’s error object': [reply(200, '{"object":"error","message":"bad","code":400}'), 'bad_request', /HTTP 400: “bad”/],
  '200 with nothing in it': [reply(200), 'bad_response', /is empty/],
  '204': [[{ send: httpHead(204, {}) }], 'bad_response', /HTTP 204\) is empty/],
  '200 with a login page': [
    reply(200, '<html>Sign in</html>', { 'content-type': 'text/html' }),
    'bad_response',
    /of type text\/html .* “<html>Sign in<\/html>”/,
  ],
  '200 with half an answer': [reply(200, completion().slice(0, 60)), 'bad_response', /not complete, valid JSON/],
  '200 with two answers': [reply(200, completion() + completion()), 'bad_response', /not complete, valid JSON/],
  '200 with no choices': [reply(200, '{"choices":[]}'), 'bad_response', /has no choices/],
  '200 with a number for text': [reply(200, completion({}, { content: 4 })), 'bad_response', /choices\[0\]\.message\.content/],
  '200 with a list': [reply(200, '[]'), 'bad_response', /outermost value/],
  '200 with a bare null': [reply(200, 'null'), 'bad_response', /outermost value/],
  '200 nested too deeply': [reply(200, '['.repeat(100_000) + ']'.repeat(100_000)), 'bad_response', /more than 64 levels/],
  '200 compressed with something unknown': [reply(200, 'x', { 'content-encoding': 'lzma' }), 'bad_response', /compressed/],
  '200 that is no gzip though it says so': [reply(200, 'x', { 'content-encoding': 'gzip' }), 'bad_response', /compressed/],
  '200 shorter than declared': [
    [{ send: httpHead(200, { 'content-length': '5000' }) }, { send: completion() }, 'fin'],
    'bad_response',
    /cut its answer off/,
  ],
  '200 reset in the middle': [
    [{ send: httpHead(200, { 'content-length': '500' }) }, { send: '{"choi' }, { waitMs: 20 }, 'reset'],
    'bad_response',
    /cut its answer/,
  ],
  '301': [
    reply(301, '', { location: 'http://evil.test/path?key=1' }),
    'redirect_refused',
    /redirects to http:\/\/evil\.test \(HTTP 301\)\. Redirects are never followed/,
  ],
  '303 without a place': [reply(303), 'redirect_refused', /redirects elsewhere/],
  '300 without a place': [reply(300), 'bad_response', /HTTP 300\) is no answer and names no other address/],
  '304': [reply(304), 'bad_response', /HTTP 304\) is no answer and names no other address/],
  '307': [reply(307, '', { location: '/v2' }), 'redirect_refused', /HTTP 307/],
  'a reset before the head': [['reset'], 'unreachable', /cut the connection before it answered/],
  'a close before the head': [['fin'], 'unreachable', /cut the connection before it answered/],
  'something that is not HTTP': [[{ send: 'SSH-2.0-OpenSSH_9.6\r\n' }], 'bad_response', /not HTTP/],
  'a head without end': [
    [{ send: 'HTTP/1.1 200 OK\r\n' }, { repeat: `x-${'a'.repeat(1000)}: 1\r\n`, everyMs: 0 }],
    'bad_response',
    /more response headers than Assay accepts/,
  ],
  'a 100 Continue that nobody asked for': [
    [{ send: 'HTTP/1.1 100 Continue\r\n\r\n' }, 'fin'],
    'bad_response',
    /“100 Continue”, which Assay never requests/,
  ],
  'another protocol that nobody asked for': [
    [{ send: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n' }],
    'bad_response',
    /“101 Switching Protocols”, which Assay never requests/,
  ],
  'two lengths': [
    [{ send: 'HTTP/1.1 200 OK\r\ncontent-length: 14\r\ncontent-length: 3\r\n\r\n{"choices":[]}' }],
    'bad_response',
    /Content-Length that contradicts/,
  ],
  'a filter that refuses the prompt': [
    reply(400, JSON.stringify({ error: { message: 'The prompt was filtered.', code: 'content_filter' } })),
    'content_filtered',
    /refused the prompt by its content filter/,
  ],
}

describe('every fault is one outcome', () => {
  test.each(Object.entries(faults))('%s', async (_, [script, code, message]) => {
    const failure = failureIn(await outcomeOf(script))
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(failure.message).toContain('http://127.0.0.1:')
  })

  test('the table reaches every code that a server can cause', () => {
    const elsewhere = new Set([
      'address_refused',
      'cancelled',
      'response_too_large',
      'certificate_refused',
      'worker_lost',
      'context_exceeded',
    ])
    const reached = new Set(Object.values(faults).map(([, code]) => code as string))
    expect(Object.keys(failureCodes).filter(code => !reached.has(code) && !elsewhere.has(code))).toEqual([])
  })

  test('connection refused', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    expect(failureIn(await ask(clientFor(`http://127.0.0.1:${port}/v1`)))).toMatchObject({
      code: 'unreachable',
      message: `http://127.0.0.1:${port} refuses connections (ECONNREFUSED). Check that the server is running and that the port is right.`,
      request: null,
      response: null,
      httpStatus: null,
    })
  })

  test('an untrusted certificate is not retried', async () => {
    const server = await listen(createTlsServer(selfSigned), 0)
    onTestFinished(() => server.close())
    const failure = failureIn(await ask(clientFor(server.baseUrl.replace('http:', 'https:'))))
    expect(failure).toMatchObject({
      code: 'certificate_refused',
      request: null,
      message: expect.stringContaining('add its certificate authority to the connection'),
    })
    expect(failureCodes.certificate_refused).toMatchObject({ retryable: false, fatal: true })
  })

  test.each([
    ['ENOTFOUND', /cannot be resolved/],
    ['EAI_AGAIN', /could not be looked up/],
  ])('a name that does not resolve: %s', async (code, message) => {
    const lookup = (_host: string, _options: object, callback: (error: NodeJS.ErrnoException, address: string) => void) =>
      callback(Object.assign(new Error('scripted'), { code }), '')
    expect(await ask(clientFor('http://models.example/v1', { lookup }))).toMatchObject({
      ok: false,
      code: 'unreachable',
      message: expect.stringMatching(message),
    })
  })
})

describe('what a failure carries', () => {
  test('the reply as far as it came', async () => {
    const failure = failureIn(await outcomeOf([{ send: httpHead(200, { 'content-length': '500' }) }, { send: '{"choi' }, 'fin']))
    expect(textOf(failure.response)).toBe('{"choi')
    expect(failure.httpStatus).toBe(200)
  })

  test.each([
    ['seconds', { 'retry-after': '2' }, 2_000],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    ['a day', { 'retry-after': '86400' }, 86_400_000],
    ['nonsense', { 'retry-after': 'soon' }, null],
    ['nothing', {}, null],
  ])('the pause asked for: %s', async (_, headers, retryAfterMs) => {
    expect(await outcomeOf(errorReply(429, { message: 'x' }, headers))).toMatchObject({ code: 'rate_limited', retryAfterMs })
  })

  test('the pause until a date, by the server’s own clock or else ours', async () => {
    const until = { 'retry-after': 'Wed, 21 Oct 2026 07:28:03 GMT' }
    const now = () => Date.parse('2026-10-21T07:28:00Z')
    const skewed = { ...until, date: 'Wed, 21 Oct 2026 07:27:00 GMT' }
    expect(await outcomeOf(reply(429, '', until), { now })).toMatchObject({ retryAfterMs: 3_000 })
    expect(await outcomeOf(reply(503, '', skewed), { now })).toMatchObject({ code: 'provider_failure', retryAfterMs: 63_000 })
  })

  test('a long Retry-After is reported', async () => {
    const failure = failureIn(await outcomeOf(errorReply(429, { message: 'x' }, { 'retry-after': '86400' })))
    expect(failure.message).toContain('asks for a pause of 1 d')
  })
})

test('a redirect never reaches the other server', async () => {
  const other = await faultServer(reply(200, completion()))
  const first = await faultServer(reply(307, '', { location: `${other.baseUrl}/chat/completions` }))
  const client = clientFor(first.baseUrl, { headers: { 'x-api-key': 'canary-header-value' } })
  expect(failureIn(await ask(client)).code).toBe('redirect_refused')
  expect(first.requests()).toBe(1)
  expect(other.requests()).toBe(0)
})

test('a request that was sent is never sent again, on a fresh or a kept-alive connection', async () => {
  const server = await faultServer(request => (request === 1 ? reply(200, completion()) : ['reset']))
  const client = clientFor(server.baseUrl, { connections: 1 })
  const fresh = failureIn(await ask(client))
  expect((await ask(client)).ok).toBe(true)
  const reused = failureIn(await ask(client))
  expect([fresh.code, reused.code]).toEqual(['unreachable', 'unreachable'])
  expect([isBillUnknown(fresh), isBillUnknown(reused)]).toEqual([true, true])
  expect(server.requests()).toBe(3)
})

test('a connection that is refused bills nothing', async () => {
  const server = await faultServer(reply(200, completion()))
  await server.close()
  const failure = failureIn(await ask(clientFor(server.baseUrl)))
  expect(failure).toMatchObject({ code: 'unreachable', request: null })
  expect(isBillUnknown(failure)).toBe(false)
})

test('a probe, which has no body, is sent once more when its kept-alive connection closes under it', async () => {
  const server = await faultServer(request => (request === 1 ? ['reset'] : reply(200, completion())))
  const client = clientFor(server.baseUrl, { connections: 1 })
  expect((await ask(client)).ok).toBe(true)
  expect(await client.probe({ signal: new AbortController().signal })).toBeNull()
  expect(server.requests()).toBe(3)
})

test('a header that frames the message is refused before anything is sent', async () => {
  const server = await faultServer(reply(200, completion()))
  const failure = failureIn(await ask(clientFor(server.baseUrl, { headers: { 'Content-Length': '1' } })))
  expect(failure).toMatchObject({
    code: 'bad_request',
    message: 'The header “Content-Length” is set by Assay itself. Remove it from this connection.',
  })
  expect(server.requests()).toBe(0)
})

test('a request that cannot be written as JSON is an outcome, not an exception', async () => {
  const server = await faultServer(reply(200, completion()))
  // The type forbids it; a bug elsewhere might not.
  const impossible = { messages: [{ role: 'user', content: 1n }], temperature: null, maxOutputTokens: 1, stop: [] } as never
  const outcome = await clientFor(server.baseUrl).call(impossible, { signal: new AbortController().signal })
  expect(failureIn(outcome)).toMatchObject({ code: 'bad_request', request: null })
})
