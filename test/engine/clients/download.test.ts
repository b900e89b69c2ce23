import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { download, type DownloadSettings } from '../../../src/engine/clients/http/download.ts'
import { temporaryFolder } from '../../support/service.ts'

const address = 'https://data.example/set/test.jsonl'
const content = '{"a": 1}\n'.repeat(20_000)
const anywhere = createAddressPolicy({ ownOrigin: null })
const folder = temporaryFolder()
let server: Server
let answer: RequestListener = (_request, response) => response.end()
let asked: (string | undefined)[] = []
let path = ''
let made = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  folder.remove()
})
beforeEach(() => {
  asked = []
  path = join(folder.path, String(made++))
})

function mirrored(url: URL): URL {
  const { port } = server.address() as AddressInfo // it listens on TCP
  return new URL(`http://127.0.0.1:${port}/${url.host}${url.pathname}`)
}

function get(settings: Partial<DownloadSettings> = {}) {
  return download(address, path, {
    addressPolicy: anywhere,
    redirectHosts: ['store.example'],
    maxBytes: 1_000_000,
    deadlineMs: 20_000,
    idleTimeoutMs: 20_000,
    signal: new AbortController().signal,
    onProgress: () => {},
    locate: mirrored,
    ...settings,
  })
}

test('writes the file, tells how far it is, and counts its bytes once', async () => {
  answer = (_request, response) => response.writeHead(200, { 'content-length': content.length }).end(content)
  const progress: [number, number | null][] = []
  const counted: number[] = []
  const got = await get({
    onProgress: (received, total) => progress.push([received, total]),
    traffic: (_origin, _sent, received) => counted.push(received),
  })
  expect(got).toEqual({ ok: true, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  expect(readFileSync(path, 'utf8')).toBe(content)
  expect(progress[0]).toEqual([0, content.length])
  expect(progress.at(-1)).toEqual([content.length, content.length])
  expect(counted).toEqual([content.length])
})

test('undoes an encoding that it did not ask for', async () => {
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content))
  expect(await get()).toMatchObject({ ok: true, bytes: content.length })
  expect(readFileSync(path, 'utf8')).toBe(content)
})

test('follows to a host that the recipe names', async () => {
  answer = (request, response) => {
    if (request.url?.startsWith('/store.example/')) response.end(content)
    else response.writeHead(302, { location: 'https://store.example/kept?key=1' }).end()
  }
  expect(await get()).toMatchObject({ ok: true, bytes: content.length })
  expect(asked).toEqual(['/data.example/set/test.jsonl', '/store.example/kept'])
})

test.each([
  ['a stranger', 'https://stranger.example/x', 'data.example redirects to https://stranger.example, which was not named'],
  ['a name that only ends alike', 'https://evil-store.example/x', 'which was not named'],
  ['plain http', 'http://data.example/x', 'which was not named'],
  ['another port', 'https://data.example:8443/x', 'which was not named'],
  ['itself without end', address, 'data.example redirects more than 3 times.'],
])('does not follow to %s', async (_, location, why) => {
  answer = (_request, response) => response.writeHead(302, { location }).end()
  expect(await get()).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  expect(asked.every(url => url?.startsWith('/data.example/'))).toBe(true)
})

test.each([
  ['an endless body', {}, 'The file is larger than 1000000 bytes.'],
  ['a length that is too much', { 'content-length': '5000000' }, 'The file is larger than 1000000 bytes.'],
  ['an unknown encoding', { 'content-encoding': 'pack200' }, 'The answer is encoded as "pack200", which cannot be undone.'],
])('stops at %s', async (_, headers, why) => {
  answer = (_request, response) => {
    response.writeHead(200, headers)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  expect(await get()).toMatchObject({ ok: false, why })
})

test('stops at a small body that unpacks to too much', async () => {
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(new Uint8Array(8_000_000)))
  const got = await get()
  expect(got).toMatchObject({ ok: false, why: 'The file is larger than 1000000 bytes.', waitMs: null })
  // What it unpacked to, of which nothing is left on the disk.
  expect(!got.ok && got.bytes).toBeGreaterThan(1_000_000)
  expect(existsSync(path)).toBe(false)
})

test('says what else went wrong', async () => {
  answer = (_request, response) => response.writeHead(404).end('gone')
  expect(await get()).toMatchObject({ ok: false, why: 'data.example no longer has this file (HTTP 404).', waitMs: null })
  answer = (_request, response) => response.writeHead(503, { 'retry-after': '3' }).end('later')
  expect(await get()).toMatchObject({ ok: false, why: 'data.example answered HTTP 503.', waitMs: 3000 })
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
  }
  expect(await get()).toMatchObject({
    ok: false,
    why: expect.stringContaining('data.example broke off in the middle'),
    bytes: 4,
    waitMs: 0,
  })
  expect(existsSync(path)).toBe(false)
})

test('throws what keeps the file from being written, of which the address is not to blame', async () => {
  answer = (_request, response) => response.writeHead(200).end(content)
  path = join(folder.path, 'no such folder', 'file')
  await expect(get()).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
  path = join(folder.path, 'there')
  writeFileSync(path, 'mine')
  await expect(get()).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

test.each([
  ['says nothing', { idleTimeoutMs: 300 }, 'data.example sent nothing more for 0.3 s.'],
  ['takes too long', { deadlineMs: 300 }, 'data.example did not finish within'],
])('gives up on a server that %s', async (_, settings, why) => {
  answer = (_request, response) => {
    response.writeHead(200)
    response.write('a')
  }
  expect(await get(settings)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})

test('never calls a public name that resolves to this machine or a private network', async () => {
  for (const [ip, what] of [
    ['127.0.0.1', 'this machine'],
    ['10.1.2.3', 'an address of a private network'],
    ['169.254.169.254', 'a link-local address'],
  ] as const) {
    const lookup: LookupFunction = (_name, options, done) => {
      if (options.all) done(null, [{ address: ip, family: 4 }])
      else done(null, ip, 4)
    }
    const got = await get({ addressPolicy: createAddressPolicy({ ownOrigin: null, reach: 'public' }), lookup, locate: url => url })
    expect(got).toMatchObject({ ok: false, why: expect.stringContaining(what) })
  }
  expect(asked).toEqual([])
})

test('names the host that a machine without a network cannot find', async () => {
  const lookup: LookupFunction = (name, _options, done) =>
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '')
  expect(await get({ lookup, locate: url => url })).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^Could not reach data\.example: .*its name cannot be resolved \(ENOTFOUND\)/),
  })
})
