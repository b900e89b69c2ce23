import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { newToken } from '../../src/service/auth/index.ts'
import { patience } from '../support/machine-speed.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The clock stands still, so that no bucket fills while a test counts. */
const clock = movingClock()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ keyRate: { burst: 40, perSecond: 10 } }, clock)
})
afterAll(() => service.close())

async function health(authorization: string) {
  const reply = await fetch(`${service.baseUrl}/v1/health`, { headers: { authorization } })
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body: await reply.text() }
}

describe('guessing tokens', () => {
  test('is slowed after twenty, and locks the good key out of nothing', async () => {
    const guesses = await Promise.all(Array.from({ length: 25 }, () => health(`Bearer ${newToken('asy_')}`)))
    const statuses = guesses.map(({ status }) => status)
    expect(statuses.filter(status => status === 401)).toHaveLength(20)
    expect(statuses.filter(status => status === 429)).toHaveLength(5)
    const slowed = guesses.find(({ status }) => status === 429)
    expect(slowed?.retryAfter).toBe('1')
    expect(ErrorBody.parse(JSON.parse(slowed?.body ?? '')).error.code).toBe('rate_limited')
    for (const { headers } of [service.client, service.keyClient]) expect((await health(headers['authorization'] ?? '')).status).toBe(200)
    clock.advance(1000)
    expect((await health(`Bearer ${newToken('asn_')}`)).status).toBe(401)
  })
})

describe('a key that asks without end', () => {
  test('gets 429 with the time to wait, then continues; others are not delayed', async () => {
    clock.advance(60_000)
    const { authorization = '' } = service.keyClient.headers
    const answers = await Promise.all(Array.from({ length: 45 }, () => health(authorization)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    expect(answers.filter(({ status, retryAfter }) => status === 429 && retryAfter === '1')).toHaveLength(5)
    await service.client.call('getHealth', {})
    clock.advance(1000)
    expect((await health(authorization)).status).toBe(200)
  })
})

/** What the service says to bytes that no HTTP library would send. */
function say(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => socket.write(bytes))
    let seen = ''
    socket.setTimeout(10_000 * patience(), () => socket.destroy(new Error('no answer')))
    socket.on('data', data => (seen += data.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(seen))
  })
}

/** The head of a request as the owner. @param framing how its body ends */
function head(line: string, type: string, framing: string): string {
  const { authorization = '', 'x-workspace-id': workspace = '' } = service.client.headers
  return `${line} HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nAuthorization: ${authorization}\r\nX-Workspace-ID: ${workspace}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`
}

describe('bytes that are no proper HTTP', () => {
  const host = () => `Host: ${new URL(service.baseUrl).host}`
  test.each([
    ['a head of 20 kB', () => `GET /v1/health HTTP/1.1\r\n${host()}\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'both Transfer-Encoding and Content-Length',
      () => `POST /v1/quotes HTTP/1.1\r\n${host()}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a bare line feed', () => `GET /v1/health HTTP/1.1\n${host()}\nX: y\n\n`, 400],
    ['no HTTP at all', () => 'hello\r\n\r\n', 400],
    ['a NUL in a header', () => `GET /v1/health HTTP/1.1\r\n${host()}\r\nX: a\0b\r\n\r\n`, 400],
  ])('%s is refused with the body of every error', async (_name, bytes, status) => {
    const answer = await say(bytes())
    expect(answer.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `)
    const { error } = ErrorBody.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))
    expect(error.code).toBe('malformed_request')
    expect(answer).toContain(`x-request-id: ${error.request_id}`)
  })
})

const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunk = (length: number) => chunkOf('x'.repeat(length))

const part = (name: string, head: string) => `--x\r\ncontent-disposition: form-data; name="${name}"${head}\r\n\r\n`
test.each([
  // The first is read to its end and refused, the second is begun.
  ['a file of more than 20 MB', 413, `${part('file', '; filename="a"')}${'x'.repeat(21_000_000)}\r\n${part('file', '; filename="b"')}`],
  ['a field that is unknown', 422, `${part('unknown', '')}x\r\n${part('file', '; filename="a"')}`],
])('a form is refused while it is sent for %s, and the connection serves the next request', async (_, status, first) => {
  const rest = `${'x'.repeat(5_000_000)}\r\n--x--\r\n`
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  let seen = ''
  socket.setEncoding('latin1').on('data', text => (seen += String(text)))
  try {
    socket.write(head('POST /v1/media', 'multipart/form-data; boundary=x', `Content-Length: ${first.length + rest.length}`) + first)
    socket.write(rest.slice(0, 2_000_000))
    await expect.poll(() => seen).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    socket.write(rest.slice(2_000_000) + head('GET /v1/health', 'application/json', 'Content-Length: 0'))
    await expect.poll(() => seen).toMatch(/HTTP\/1\.1 200 /)
  } finally {
    socket.destroy()
  }
})

test('a form without an end is refused, and its connection is ended', async () => {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  let seen = ''
  socket.setEncoding('latin1').on('data', text => (seen += String(text)))
  const ended = new Promise(resolve => socket.once('close', resolve))
  socket.on('error', () => undefined)
  socket.write(head('POST /v1/media', 'multipart/form-data; boundary=x', 'Transfer-Encoding: chunked'))
  socket.write(chunkOf(`${part('unknown', '')}x\r\n${part('file', '; filename="a"')}`))
  await expect.poll(() => seen).toMatch(/^HTTP\/1.1 422 /)
  const more = chunk(1_000_000)
  const send = () => {
    while (!socket.destroyed && socket.write(more)) continue
  }
  socket.on('drain', send)
  send()
  await ended
})

test.each([
  ['of a stated length', 'Content-Length: 3000000', 'x'.repeat(1_000_000), 'x'.repeat(2_000_000)],
  ['in chunks', 'Transfer-Encoding: chunked', chunk(1_500_000), `${chunk(1_500_000)}0\r\n\r\n`],
])(
  'a body that is too large, %s, is refused while it is sent, and the connection serves the next request',
  async (_, framing, first, rest) => {
    clock.advance(60_000)
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    let seen = ''
    socket.setEncoding('latin1').on('data', text => (seen += String(text)))
    try {
      socket.write(head('POST /v1/quotes', 'application/json', framing) + first)
      await expect.poll(() => seen).toContain('payload_too_large')
      socket.write(rest + head('GET /v1/health', 'application/json', 'Content-Length: 0'))
      await expect.poll(() => seen).toMatch(/HTTP\/1\.1 200 /)
      expect(seen).toMatch(/^HTTP\/1\.1 413 /)
    } finally {
      socket.destroy()
    }
  },
)

describe('connections by the thousand', () => {
  const port = () => Number(new URL(service.baseUrl).port)
  // A hundred at a time: more at once than the system keeps for a server to accept would be lost without either side being told.
  const hold = async (count: number, say = '') => {
    const sockets: Socket[] = []
    for (let i = 0; i < count; i += 100) {
      const batch = Array.from({ length: Math.min(100, count - i) }, () => connect(port(), '127.0.0.1').on('error', () => {}))
      sockets.push(...batch)
      await Promise.all(batch.map(socket => new Promise<void>(resolve => socket.once('connect', () => (socket.write(say), resolve())))))
      // Read on, so that the end of a connection is seen at this side too.
      for (const socket of batch) socket.resume()
    }
    return { sockets, release: () => sockets.forEach(socket => socket.destroy()) }
  }
  const open = ({ sockets }: { readonly sockets: readonly Socket[] }) =>
    sockets.filter(socket => !socket.destroyed && socket.readable).length

  test.each([
    ['that say nothing', ''],
    ['that begin a request', 'GET /v1/health HTTP/1.1\r\n'],
  ])('%s leave room for who is known, and the oldest of them end', async (_name, say) => {
    const held = await hold(1500, say)
    try {
      const { authorization = '' } = service.client.headers
      for (let i = 0; i < 20; i++) expect((await fresh(authorization)).status).toBe(200)
      await expect.poll(() => open(held)).toBeLessThanOrEqual(128)
    } finally {
      held.release()
    }
  })

  test('opened by one client at once are all answered', async () => {
    const { authorization = '' } = service.client.headers
    const held = await hold(190)
    const answers = held.sockets.map(socket => new Promise(resolve => socket.once('data', resolve).once('close', () => resolve('closed'))))
    try {
      // Connections are taken in their order: once this one is, all others are, before any of them has said a word.
      expect((await fresh(authorization)).status).toBe(200)
      for (const socket of held.sockets)
        socket.write(`GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: ${authorization}\r\n\r\n`)
      const lines = (await Promise.all(answers)).map(answer => String(answer).split('\r\n')[0])
      expect(lines).toEqual(Array(190).fill('HTTP/1.1 200 OK'))
    } finally {
      held.release()
    }
  })

  test('without credentials are not kept open for long', async () => {
    const socket = connect(port(), '127.0.0.1')
    const started = performance.now()
    socket.write(`GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`)
    let seen = ''
    socket.setEncoding('latin1').on('data', text => (seen += String(text)))
    await new Promise(resolve => socket.once('close', resolve))
    // Who relies on a longer time than that reads a reset in place of the next answer.
    expect(seen).toMatch(/\r\nkeep-alive: timeout=5\r\n/i)
    expect((await service.fetch('/v1/health')).headers.get('keep-alive')).toBe('timeout=65')
    // After 5 s; a client that is known has 65.
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  test('of one key are refused beyond two hundred; others are not held up', async () => {
    clock.advance(3_600_000)
    const { key } = await service.client.call('createApiKey', { body: { name: 'hoarder', scopes: ['runs:read'], expires_at: null } })
    const ask = `GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const answers: number[] = []
    const sockets: Socket[] = []
    try {
      for (let i = 0; i < 230; i++) {
        // The clock stands still, and the key's own rate is another test's.
        if (i % 30 === 0) clock.advance(60_000)
        const socket = connect(port(), '127.0.0.1')
        sockets.push(socket)
        socket.write(ask)
        const first = await new Promise<Buffer>(resolve => socket.once('data', resolve))
        answers.push(Number(first.toString('latin1').split(' ')[1]))
      }
      expect(answers).toEqual([...Array(200).fill(200), ...Array(30).fill(429)])
      expect((await fresh(service.client.headers['authorization'] ?? '')).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

/** On a connection of its own. */
function fresh(authorization: string): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.baseUrl}/v1/health`, { agent: false, headers: { authorization } }, reply => {
      reply.resume()
      resolve({ status: reply.statusCode })
    })
    sent.on('error', reject).end()
  })
}
