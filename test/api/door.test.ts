import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { patience } from '../support/machine-speed.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let port: number

beforeAll(async () => {
  service = await startTestService()
  port = Number(new URL(service.baseUrl).port)
})
afterAll(() => service.close())

/** The status of a request written byte by byte, as no HTTP library would send it. */
function rawStatus(lines: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    let seen = ''
    socket.setTimeout(5_000 * patience(), () => socket.destroy(new Error('no answer')))
    socket.on('data', data => {
      seen += data.toString('latin1')
      const status = /^HTTP\/1\.\d (\d{3})/.exec(seen)?.[1]
      if (!status) return
      socket.destroy()
      resolve(Number(status))
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(0))
  })
}

const get = (path: string, headers: readonly string[], version = '1.1') =>
  rawStatus([
    `GET ${path} HTTP/${version}`,
    ...headers,
    `Authorization: ${service.client.headers['authorization'] ?? ''}`,
    'Connection: close',
  ])

test.each([
  ['GET', '/v1/traces/', 200],
  ['GET', '/v1/traces/?limit=1', 200],
  ['PUT', '/v1/traces/', 405],
  ['GET', '/v1/nowhere/', 404],
])('%s %s answers as without its trailing slash: %i', async (method, path, status) => {
  const statuses = [path, path.replace(/\/(?=\?|$)/, '')].map(async each => (await service.fetch(each, { method })).status)
  expect(await Promise.all(statuses)).toEqual([status, status])
})

describe('the door', () => {
  test('listens on the IPv4 loopback address and no other', async () => {
    const others = Object.values(networkInterfaces()).flatMap(list =>
      (list ?? []).filter(address => !address.internal && address.family === 'IPv4'),
    )
    for (const { address } of others) {
      const reached = await new Promise<boolean>(resolve => {
        const socket = connect(port, address, () => resolve(true))
        socket.setTimeout(2000, () => resolve(false))
        socket.on('error', () => resolve(false))
      })
      expect({ address, reached }).toEqual({ address, reached: false })
    }
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  test.each([
    ['127.0.0.1 with the port', () => [`Host: 127.0.0.1:${port}`], 200],
    ['localhost with the port', () => [`Host: LOCALHOST:${port}`], 200],
    ['another name', () => [`Host: evil.test:${port}`], 421],
    ['our name as a prefix', () => [`Host: 127.0.0.1.evil.test:${port}`], 421],
    ['no port', () => ['Host: localhost'], 421],
    ['another port', () => ['Host: localhost:1'], 421],
    ['a subdomain of localhost', () => [`Host: evil.localhost:${port}`], 421],
    ['a decimal address', () => [`Host: 2130706433:${port}`], 421],
    ['user info', () => [`Host: localhost:${port}@evil.test`], 421],
    ['two Host headers', () => [`Host: localhost:${port}`, 'Host: evil.test'], 400],
    ['a page of another site', () => [`Host: localhost:${port}`, 'Sec-Fetch-Site: cross-site'], 403],
    ['a page of another port', () => [`Host: localhost:${port}`, 'Sec-Fetch-Site: same-site'], 403],
    ['our own page', () => [`Host: localhost:${port}`, 'Sec-Fetch-Site: same-origin', `Origin: http://localhost:${port}`], 200],
    ['another origin', () => [`Host: localhost:${port}`, 'Origin: http://localhost:3000'], 403],
    ['the null origin', () => [`Host: localhost:${port}`, 'Origin: null'], 403],
    ['our origin with another host name', () => [`Host: localhost:${port}`, `Origin: http://127.0.0.1:${port}`], 403],
    ['two origins', () => [`Host: localhost:${port}`, `Origin: http://localhost:${port}`, 'Origin: http://evil.test'], 403],
    ['an address that was typed, for the interface', () => [`Host: localhost:${port}`, 'Sec-Fetch-Site: none'], 403],
    ['two Authorization headers', () => [`Host: localhost:${port}`, 'Authorization: Bearer x'], 400],
  ] as const)('%s', async (_name, headers, status) => {
    expect(await get('/v1/health', headers())).toBe(status)
  })

  test('holds before routing, for pages, files and unknown paths alike', async () => {
    for (const path of ['/', '/assets/x.js', '/docs', '/v1/no-such-thing', '/v1/runs']) {
      expect({ path, status: await get(path, [`Host: evil.test:${port}`]) }).toEqual({ path, status: 421 })
    }
  })

  test('lets another site, such as the file of "assay open", lead a window to the start page and to nothing else', async () => {
    const from = (site: string, mode: string, dest: string) => [
      `Host: localhost:${port}`,
      `Sec-Fetch-Site: ${site}`,
      `Sec-Fetch-Mode: ${mode}`,
      `Sec-Fetch-Dest: ${dest}`,
    ]
    const navigation = from('cross-site', 'navigate', 'document')
    expect(await get('/', navigation)).not.toBe(403)
    for (const path of ['/runs', '/docs', '/?a', '//', '/v1/health', '/v1/runs'])
      expect({ path, refused: (await get(path, navigation)) >= 400 }).toEqual({ path, refused: true })
    for (const [site, mode, dest] of [
      ['cross-site', 'navigate', 'iframe'],
      ['cross-site', 'no-cors', 'script'],
      ['cross-site', 'cors', 'empty'],
      ['same-site', 'navigate', 'document'],
    ] as const)
      expect({ dest, status: await get('/', from(site, mode, dest)) }).toEqual({ dest, status: 403 })
    expect(await get('/', [...navigation, 'Origin: null'])).toBe(403)
  })

  test('refuses HTTP/1.0 and absolute targets', async () => {
    expect([400, 421, 426]).toContain(await get('/v1/health', [`Host: localhost:${port}`], '1.0'))
    expect(await get('http://evil.test/v1/health', [`Host: localhost:${port}`])).toBe(400)
  })

  test('answers no preflight', async () => {
    expect(await rawStatus(['OPTIONS /v1/runs HTTP/1.1', `Host: localhost:${port}`, 'Connection: close'])).toBe(403)
  })

  test('takes no form that a page could send without a preflight', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await service.fetch('/v1/quotes', { method: 'POST', headers: { 'content-type': type }, body: 'a=1' })
      expect({ type, status: reply.status }).toEqual({ type, status: 415 })
      await reply.text()
    }
  })

  test('unpacks nothing that it is sent', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const reply = await service.fetch('/v1/quotes', { method: 'POST', headers, body: gzipSync(Buffer.alloc(10_000_000, 0x20)) })
    expect({ status: reply.status, error: await reply.json() }).toMatchObject({
      status: 415,
      error: { error: { code: 'unsupported_media_type' } },
    })
  })
})

const shared = fileURLToPath(new URL('../../../shared/badinput/own/host_origin_matrix.json', import.meta.url))
const Case = z.object({
  id: z.string(),
  version: z.string(),
  method: z.string(),
  target: z.string(),
  host: z.array(z.string()),
  origin: z.array(z.string()),
  sec_fetch_site: z.array(z.string()),
  authorization: z.union([z.boolean(), z.literal('duplicate')]),
  content_type: z.string().nullable(),
  expect: z.int(),
})

describe.skipIf(!existsSync(shared))('the shared matrix of hosts and origins (skipped where the shared folder is absent)', () => {
  const cases = existsSync(shared) ? z.object({ cases: z.array(Case) }).parse(JSON.parse(readFileSync(shared, 'utf8'))).cases : []
  /** What the case asks of a reference guard that has no routes; here a body of the wrong shape passes the door and is refused behind it. */
  const behindTheDoor = (expected: number) => (expected === 202 ? 422 : expected)
  // HTTP parsers may trim a leading blank, says the case itself.
  const strict = cases.filter(entry => entry.id !== 'host-bad- localhost:{PORT}')
  test.each(strict.map(entry => [entry.id, entry] as const))('%s', async (_id, entry) => {
    const fill = (text: string) => text.replaceAll('{PORT}', String(port))
    const upgrade = entry.method === 'UPGRADE'
    const bearer = `Authorization: ${service.client.headers['authorization'] ?? ''}`
    const status = await rawStatus([
      `${upgrade ? 'GET' : entry.method} ${fill(entry.target)} HTTP/${entry.version}`,
      ...entry.host.map(host => `Host: ${fill(host)}`),
      ...entry.origin.map(origin => `Origin: ${fill(origin)}`),
      ...entry.sec_fetch_site.map(site => `Sec-Fetch-Site: ${site}`),
      ...(entry.authorization ? [bearer, `X-Workspace-ID: ${service.workspaceId}`] : []),
      ...(entry.authorization === 'duplicate' ? ['Authorization: Bearer x'] : []),
      ...(entry.content_type ? [`Content-Type: ${entry.content_type}`] : []),
      ...(upgrade ? ['Connection: Upgrade', 'Upgrade: websocket'] : ['Connection: close']),
      ...(entry.method === 'POST' ? ['Content-Length: 2', '', '{}'] : []),
    ])
    expect(status).toBe(behindTheDoor(entry.expect))
  })
})
