import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { afterEach, describe, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { createAddressPolicy } from '../../../../src/engine/clients/address-policy.ts'
import { createRemoteScorerClient, type RemoteScorerSettings } from '../../../../src/engine/clients/remote-scorers/remote-scorer-client.ts'
import { readScorerReply } from '../../../../src/engine/clients/remote-scorers/scorer-reply.ts'
import { newSigningSecret, signatureHeaders } from '../../../../src/engine/clients/remote-scorers/sign-request.ts'
import { listen, type RunningServer } from '../../../journeys/model-server/listen.ts'

const doc = readFileSync(new URL('../../../../resources/docs/remote-scorers.md', import.meta.url), 'utf8')
const snippet = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(doc)?.[1] ?? ''
const now = () => Math.floor(Date.now() / 1000)

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
  readonly method: string
}
let server: (RunningServer & { received: Received[] }) | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function scorer(answer: (request: IncomingMessage, response: ServerResponse, n: number) => void) {
  const received: Received[] = []
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(Buffer.from(chunk)))
    request.on('end', () => {
      received.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        method: request.method ?? '',
      }) // none of the headers asked for repeats
      answer(request, response, received.length)
    })
  })
  server = { ...(await listen(http, 0)), received }
  return server
}
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
const secret = newSigningSecret()
function clientOf(baseUrl: string, change: Partial<RemoteScorerSettings> = {}) {
  return createRemoteScorerClient({
    url: new URL(`${baseUrl}/score`),
    secrets: [secret],
    headers: { 'X-Team': 'quality' },
    timeoutMs: 60_000,
    maxConcurrency: 2,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    now: Date.now,
    random: () => 0,
    sleep: async () => {},
    ...change,
  })
}
async function scored(answer: Parameters<typeof scorer>[0], change: Partial<RemoteScorerSettings> = {}) {
  const { baseUrl, received } = await scorer(answer)
  const client = clientOf(baseUrl, change)
  const result = await client.score({ id: 'msg_1', body: { output: { text: 'Grüße “x”' } } }, new AbortController().signal)
  await client.close()
  return { ...result, received }
}
const good = {
  status: 'scored',
  scores: [
    { name: 'style', value: 0.8, explanation: 'Fine.' },
    { name: 'tone', value: 1 },
  ],
}

describe('signatures', () => {
  test('are accepted by the standardwebhooks package, and nothing else is', () => {
    for (let i = 0; i < 20; i++) {
      const one = newSigningSecret()
      const body = JSON.stringify({ i, text: 'ü\u0000"' })
      const headers = signatureHeaders({ id: `msg_${i}`, timestamp: now(), body }, [one])
      expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(one).verify(`${body} `, headers)).toThrow('No matching signature')
      expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('No matching signature')
      expect(() => new Webhook(one).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow('No matching signature')
    }
  })

  test('of an old secret stand beside the new one’s during a rotation', () => {
    const [current, old] = [newSigningSecret(), newSigningSecret()]
    const headers = signatureHeaders({ id: 'm', timestamp: now(), body: '{}' }, [current, old])
    expect(new Webhook(current).verify('{}', headers)).toEqual({})
    expect(new Webhook(old).verify('{}', headers)).toEqual({})
  })

  test('are verified by the documented TypeScript', async () => {
    const source = stripTypeScriptTypes(snippet('ts'))
    const module: { isFromAssay(secret: string, headers: Record<string, string>, body: string): boolean } = await import(
      `data:text/javascript,${encodeURIComponent(source)}`
    )
    const headers = signatureHeaders({ id: 'm', timestamp: now(), body: '{"a":1}' }, [newSigningSecret(), secret])
    expect(module.isFromAssay(secret, headers, '{"a":1}')).toBe(true)
    expect(module.isFromAssay(secret, headers, '{"a":2}')).toBe(false)
    expect(module.isFromAssay(newSigningSecret(), headers, '{"a":1}')).toBe(false)
    expect(module.isFromAssay(secret, {}, '{"a":1}')).toBe(false)
    const stale = signatureHeaders({ id: 'm', timestamp: now() - 301, body: '{}' }, [secret])
    expect(module.isFromAssay(secret, stale, '{}')).toBe(false)
  })

  const python = ['python3', 'python'].find(name => spawnSync(name, ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0)
  test.skipIf(python === undefined)('are verified by the documented Python (skipped where Python 3.9 is not installed)', () => {
    const headers = signatureHeaders({ id: 'm', timestamp: now(), body: '{"ü":1}' }, [newSigningSecret(), secret])
    const program = `${snippet('python')}
import json, sys
given = json.loads(sys.stdin.read())
print(json.dumps([is_from_assay(s, h, b.encode()) for s, h, b in given]))`
    const stale = signatureHeaders({ id: 'm', timestamp: now() - 301, body: '{}' }, [secret])
    const input = JSON.stringify([
      [secret, headers, '{"ü":1}'],
      [secret, headers, '{"ü":2}'],
      [newSigningSecret(), headers, '{"ü":1}'],
      [secret, stale, '{}'],
      [secret, {}, '{}'],
    ])
    const { stdout, stderr, status } = spawnSync(python ?? '', ['-c', program], { input, encoding: 'utf8' })
    // A shell that starts Python may warn in `stderr`, such as of a locale that the machine lacks.
    expect({ stdout: stdout.trim(), status }, stderr).toEqual({ stdout: '[true, false, false, false, false]', status: 0 })
  })
})

describe('a remote scorer', () => {
  test('is sent a signed request with its headers, and its first score counts', async () => {
    const { verdict, received } = await scored((_, response) => json(response, 200, good))
    expect(verdict).toMatchObject({ kind: 'scored', value: 0.8, explanation: 'Fine.', values: { style: 0.8, tone: 1 } })
    const [request] = received
    expect(request?.headers).toMatchObject({ 'x-team': 'quality', 'idempotency-key': '"msg_1"', 'webhook-id': 'msg_1' })
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toEqual({ output: { text: 'Grüße “x”' } })
  })

  test.each([429, 503, 529])('that takes no calls now (%d) uses up no try and is waited for until it answers', async status => {
    const { verdict, tries } = await scored((_, response, n) => (n < 8 ? json(response, status, {}) : json(response, 200, good)))
    expect(verdict.kind).toBe('scored')
    expect(tries).toHaveLength(8)
  })

  test('that takes no calls for a day leaves the output unscored at once', async () => {
    const { verdict, tries } = await scored((_, response) => json(response, 429, {}, { 'retry-after': '86400' }))
    expect(verdict).toMatchObject({ kind: 'unscored', code: 'http_429' })
    expect(tries).toHaveLength(1)
  })

  test.each([408, 425, 500])('that answers %d is tried three times, each signed, under the same id', async status => {
    const { verdict, tries, received } = await scored((_, response) => json(response, status, {}, { 'retry-after': '0' }))
    expect(verdict).toMatchObject({ kind: 'unscored', code: `http_${status}`, reason: expect.stringContaining('Tried 3 times') })
    expect(tries).toHaveLength(3)
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['msg_1']))
    for (const { body, headers } of received) new Webhook(secret).verify(body, headers)
  })

  test('that recovers is scored', async () => {
    const { verdict, tries } = await scored((_, response, n) => (n < 3 ? json(response, 503, {}) : json(response, 200, good)))
    expect(verdict.kind).toBe('scored')
    expect(tries.map(({ httpStatus }) => httpStatus)).toEqual([503, 503, 200])
  })

  test('that is cut off or silent is tried again', async () => {
    expect((await scored((request, _, n) => (n === 1 ? request.socket.destroy() : undefined), { timeoutMs: 100 })).verdict).toMatchObject({
      kind: 'unscored',
      code: 'timeout',
    })
  })

  test('polls slow results by signed GETs at its own origin', async () => {
    const { verdict, received } = await scored((request, response, n) => {
      if (request.method === 'POST') json(response, 202, {}, { location: '/results/7', 'retry-after': '0' })
      else if (n < 3) json(response, 202, {}, { location: '/results/7', 'retry-after': '0' })
      else json(response, 200, good)
    })
    expect(verdict).toMatchObject({ kind: 'scored', value: 0.8 })
    expect(received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
    // The package verifies a body of no bytes, too; it throws where the signature is wrong.
    expect(() => new Webhook(secret).verify(received[2]?.body ?? 'x', received[2]?.headers ?? {}, { jsonParse: false })).not.toThrow()
  })

  test('that sends its results elsewhere is not followed', async () => {
    expect((await scored((_, response) => json(response, 202, {}, { location: 'http://127.0.0.1:1/x' }))).verdict).toMatchObject({
      kind: 'unscored',
      code: 'invalid_reply',
    })
  })

  test.each([
    ['redirects', 302, '', 'redirect_refused'],
    ['is not there', 404, '{}', 'http_404'],
    ['refuses', 401, '{}', 'http_401'],
    ['answers no JSON', 200, '<html>', 'invalid_json'],
    ['answers NaN', 200, '{"status":"scored","scores":[{"value":NaN}]}', 'invalid_json'],
    ['answers no number', 200, '{"status":"scored","scores":[{"value":null}]}', 'invalid_reply'],
    ['answers out of range', 200, '{"status":"scored","scores":[{"value":7}]}', 'out_of_range'],
    ['answers an empty range', 200, '{"status":"scored","scores":[{"value":1,"range":[1,1]}]}', 'out_of_range'],
    ['answers no score', 200, '{"status":"scored","scores":[]}', 'invalid_reply'],
    ['has no verdict', 200, '{"status":"unscored","reason":"too short"}', 'unscored'],
  ])('that %s is unscored at once', async (_, status, body, code) => {
    const { verdict, tries } = await scored((__, response) => json(response, status, body, { location: 'http://127.0.0.1:1/' }))
    expect(verdict).toMatchObject({ kind: 'unscored', code })
    expect(tries).toHaveLength(1)
  })

  test('that is gone says so', async () => {
    expect(await scored((_, response) => json(response, 410, {}))).toMatchObject({
      gone: true,
      verdict: { kind: 'unscored', code: 'gone' },
    })
  })

  test('that answers hundreds of megabytes is cut off after one', async () => {
    let sent = 0
    const { verdict } = await scored((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        while (sent < 300 * 1024 * 1024 && !request.socket.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
      }
      more()
    })
    expect(verdict).toMatchObject({ kind: 'unscored', code: 'response_too_large' })
    expect(sent).toBeLessThan(50 * 1024 * 1024)
  })

  test('whose name leads to this machine is refused before a byte is sent', async () => {
    const { baseUrl, received } = await scorer((_, response) => json(response, 200, good))
    const policy = createAddressPolicy({ ownOrigin: null, reach: 'public' })
    const client = clientOf(baseUrl, {
      url: new URL(`http://scorer.example:${new URL(baseUrl).port}/score`),
      addressPolicy: policy,
      lookup: (_name, options, done) => (options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)),
    })
    const { verdict } = await client.score({ id: 'm', body: {} }, new AbortController().signal)
    await client.close()
    expect(verdict).toMatchObject({ kind: 'unscored', code: 'address_refused' })
    expect(received).toHaveLength(0)
  })

  test('is pinged with a signed request', async () => {
    const { baseUrl, received } = await scorer((_, response) =>
      json(response, 200, { status: 'pong', scorers: [{ name: 'style', version: 3 }] }),
    )
    const client = clientOf(baseUrl)
    expect(await client.ping('msg_p', new AbortController().signal)).toMatchObject({ ok: true, scorers: [{ name: 'style', version: 3 }] })
    await client.close()
    expect(new Webhook(secret).verify(received[0]?.body ?? '', received[0]?.headers ?? {})).toEqual({
      protocol: 'scorer/1',
      revision: 2,
      type: 'ping',
    })
  })

  test('that pings back something else has not passed', async () => {
    const { baseUrl } = await scorer((_, response) => json(response, 200, good))
    const client = clientOf(baseUrl)
    expect(await client.ping('msg_p', new AbortController().signal)).toMatchObject({ ok: false, code: 'invalid_reply' })
    await client.close()
  })
})

describe('readScorerReply', () => {
  test.each([
    [true, 1],
    [false, 0],
    ['PASS', 1],
    ['incorrect', 0],
  ])('reads %j as %d', (value, expected) => {
    expect(readScorerReply(JSON.stringify({ status: 'scored', scores: [{ value }] }))).toMatchObject({ kind: 'scored', value: expected })
  })
  test('puts a range into 0 to 1', () => {
    expect(readScorerReply('{"status":"scored","scores":[{"value":4,"range":[1,5]}]}')).toMatchObject({ value: 0.75 })
  })
})
