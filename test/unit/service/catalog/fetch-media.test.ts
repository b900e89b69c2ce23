import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../../../src/contract/errors.ts'
import { mostMediaBytes } from '../../../../src/contract/media/media.schemas.ts'
import { createAddressPolicy } from '../../../../src/engine/clients/address-policy.ts'
import { fetchedPaths, readFetched } from '../../../../src/engine/importing/media/remote-media.ts'
import { fetchMedia, type MediaWay } from '../../../../src/service/catalog/fetch-media.ts'
import { patience } from '../../../support/machine-speed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let server: Server
let base = ''
let asked: string[] = []
let answer: RequestListener

beforeEach(async () => {
  folder = temporaryFolder()
  asked = []
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  folder.remove()
})

const fetchAll = (addresses: readonly string[], more: Partial<MediaWay> = {}): Promise<void> =>
  fetchMedia(
    addresses,
    folder.path,
    {
      policyFor: () => createAddressPolicy({ ownOrigin: null }),
      traffic: () => {},
      mostBytes: 1000,
      requireRoom: () => {},
      pauseMs: 0,
      ...more,
    },
    () => {},
    AbortSignal.timeout(2 ** 31 - 1),
  )
/** 20 kB, of which more than a file may have unpacks. */
const bomb = gzipSync(Buffer.alloc(mostMediaBytes + 1))
const outcome = (address: string): string => {
  const found = readFetched(folder.path, address)
  return found === null ? 'nothing' : 'why' in found ? found.why : Buffer.from(found.bytes).toString('utf8')
}

test('ends a file that comes a byte at a time, at its deadline', async () => {
  let sent = 0
  answer = (_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => {
      response.write('x')
      sent++
    }, 5)
    response.on('close', () => clearInterval(drip))
  }
  await fetchAll([`${base}/slow`], { deadlineMs: 100 * patience() })
  expect(sent).toBeGreaterThan(0)
  expect(outcome(`${base}/slow`)).toContain(`${new URL(base).host} did not finish within`)
})

test('asks nothing more of a host after many failures in a row', async () => {
  answer = (_, response) => response.writeHead(503).end()
  const addresses = Array.from({ length: 60 }, (_, i) => `${base}/${i}`)
  await fetchAll(addresses)
  // Each twice, since it may pass; and those that were under way.
  expect(asked.length).toBeGreaterThanOrEqual(40)
  expect(asked.length).toBeLessThan(48)
  const { host } = new URL(base)
  const gaveUp = `Gave up on ${host} after 20 failures in a row. Last error: ${host} answered HTTP 503.`
  expect(outcome(`${base}/59`)).toBe(gaveUp)
  // One reason for all that were not asked for, which holds after a restart.
  expect(readdirSync(folder.path).length).toBeLessThan(26)
  asked = []
  await fetchAll(addresses)
  expect(asked).toEqual([])
})

test('asks nothing more of a host after many failures in all, of which few are in a row', async () => {
  answer = (request, response) => response.writeHead(Number(request.url?.slice(1)) % 10 === 0 ? 200 : 404).end('x')
  const addresses = Array.from({ length: 300 }, (_, i) => `${base}/${i}`)
  await fetchAll(addresses)
  expect(asked.length).toBeLessThan(120)
  expect(outcome(`${base}/299`)).toContain('Gave up on')
})

test('asks once more where a failure may pass', async () => {
  answer = (_, response) => (asked.length === 1 ? response.writeHead(429, { 'retry-after-ms': '1' }).end() : response.end('here'))
  await fetchAll([`${base}/1`])
  expect([outcome(`${base}/1`), asked.length]).toEqual(['here', 2])
  asked = []
  answer = (_, response) => response.writeHead(404).end()
  await fetchAll([`${base}/2`])
  expect(asked).toEqual(['/2'])
})

test('counts what a failure brought, and leaves nothing of it', async () => {
  const mostBytes = 3 * mostMediaBytes
  let served = 0
  answer = (request, response) => {
    served++
    if (Number(request.url?.slice(1)) % 2 === 0) response.end('small')
    else if (Number(request.url?.slice(1)) % 4 === 1) response.end(Buffer.alloc(mostMediaBytes + 1))
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  }
  await fetchAll(
    Array.from({ length: 200 }, (_, i) => `${base}/${i}`),
    { mostBytes },
  )
  expect(served).toBeLessThan(20)
  expect(outcome(`${base}/199`)).toBe('The media files of one import have at most 60 MB together, those that failed included.')
  expect(readdirSync(folder.path).filter(name => name.endsWith('.part'))).toEqual([])
})

test('says of no address that this machine could not store it, and leaves no download behind', async () => {
  let open = 0
  answer = (request, response) => {
    open++
    response.on('close', () => open--)
    response.writeHead(200).write('x')
    if (open < 4) return
    // One comes, while the others are on their way.
    mkdirSync(fetchedPaths(folder.path, `${base}${request.url}`).bytes)
    response.end()
  }
  const addresses = Array.from({ length: 8 }, (_, i) => `${base}/${i}`)
  await expect(fetchAll(addresses, { mostBytes: 10 * mostMediaBytes })).rejects.toMatchObject({ syscall: 'rename' })
  // The one that came and could not be named is begun anew.
  expect(readdirSync(folder.path).filter(name => name.includes('.'))).toEqual([expect.stringMatching(/\.part$/)])
  await expect.poll(() => open).toBe(0)
})

test('ends where the disk has no room, before it asks', async () => {
  answer = (_, response) => response.end('x')
  const full = () => {
    throw new ApiError('unavailable', 'The disk is full.')
  }
  await expect(fetchAll([`${base}/1`], { requireRoom: full })).rejects.toThrow('The disk is full.')
  expect(asked).toEqual([])
})

test('follows no redirect to another host, and takes no empty file', async () => {
  const other = createServer((_, response) => response.end('other'))
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}` // it listens on TCP
  answer = (request, response) =>
    request.url === '/empty' ? response.end() : response.writeHead(302, { location: `${elsewhere}/x` }).end()
  await fetchAll([`${base}/1`, `${base}/empty`, `${elsewhere}/y`])
  other.close()
  expect(outcome(`${base}/1`)).toContain(`redirects to ${elsewhere}, which was not named`)
  expect(outcome(`${base}/empty`)).toContain('sent an empty file.')
  expect(outcome(`${elsewhere}/y`)).toBe('other')
})

test('ends when all together take too long', async () => {
  answer = (_, response) => response.end('x')
  await fetchAll([`${base}/1`], { mostMs: -1 })
  expect(outcome(`${base}/1`)).toContain('are downloaded for at most')
  expect(asked).toEqual([])
})

test('keeps what an ended attempt had, and begins anew what it had in part', async () => {
  answer = (_, response) => response.end('new')
  const [had, failed, part, left, empty] = ['had', 'failed', 'part', 'left', 'empty'].map(name => `${base}/${name}`) as [
    string,
    string,
    string,
    string,
    string,
  ] // five of five
  writeFileSync(fetchedPaths(folder.path, had).bytes, 'old')
  writeFileSync(fetchedPaths(folder.path, failed).failure, 'Gone.')
  writeFileSync(`${fetchedPaths(folder.path, part).bytes}.part`, 'ne')
  // What a power loss leaves of a file that was not flushed.
  writeFileSync(fetchedPaths(folder.path, empty).bytes, '')
  await fetchAll([had, failed, part, left, empty])
  expect([had, failed, part, left, empty].map(outcome)).toEqual(['old', 'Gone.', 'new', 'new', 'new'])
  expect(asked.toSorted()).toEqual(['/empty', '/left', '/part'])
  expect(readdirSync(folder.path).filter(name => name.endsWith('.part'))).toEqual([])
})

test('holds the files of an import to their limit together, and sends no credentials of an address', async () => {
  // Without its length, so that it is known when it came.
  answer = (_, response) => {
    response.write('x')
    response.end('x'.repeat(599))
  }
  await fetchAll([`${base}/1`])
  const signed = base.replace('//', '//user:password@')
  // What is there counts after a restart.
  await fetchAll([`${signed}/2`, `${base}/3`, `${base}/4`], { mostBytes: 1100 })
  expect(outcome(`${signed}/2`)).toContain('The address holds a user name or password.')
  expect(outcome(`${base}/3`)).toBe('The file is larger than 500 bytes.')
  expect(outcome(`${base}/4`)).toContain('have at most 1.1 kB together')
  expect(asked).toEqual(['/1', '/3'])
})
