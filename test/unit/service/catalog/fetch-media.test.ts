import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAddressPolicy } from '../../../../src/engine/clients/address-policy.ts'
import { fetchedPaths, readFetched } from '../../../../src/engine/importing/media/remote-media.ts'
import { fetchMedia, type MediaWay } from '../../../../src/service/catalog/fetch-media.ts'
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
    { policyFor: () => createAddressPolicy({ ownOrigin: null }), traffic: () => {}, mostBytes: 1000, ...more },
    () => {},
    AbortSignal.timeout(2 ** 31 - 1),
  )
const outcome = (address: string): string => {
  const found = readFetched(folder.path, address)
  return found === null ? 'nothing' : 'why' in found ? found.why : Buffer.from(found.bytes).toString('utf8')
}

test('ends a file that comes a byte at a time, at its deadline', async () => {
  answer = (_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 5)
    response.on('close', () => clearInterval(drip))
  }
  await fetchAll([`${base}/slow`], { deadlineMs: 100 })
  expect(outcome(`${base}/slow`)).toContain(`${new URL(base).host} did not finish within`)
})

test('asks nothing more of a host after many failures in a row', async () => {
  answer = (_, response) => response.writeHead(503).end()
  const addresses = Array.from({ length: 60 }, (_, i) => `${base}/${i}`)
  await fetchAll(addresses)
  expect(asked.length).toBeGreaterThanOrEqual(20)
  // Those that were under way.
  expect(asked.length).toBeLessThan(24)
  const { host } = new URL(base)
  expect(outcome(`${base}/59`)).toBe(`Nothing more was asked of ${host} after 20 failures in a row. The last: ${host} answered HTTP 503.`)
})

test('keeps what an ended attempt had, and begins anew what it had in part', async () => {
  answer = (_, response) => response.end('new')
  const [had, failed, part, left] = ['had', 'failed', 'part', 'left'].map(name => `${base}/${name}`) as [string, string, string, string] // four of four
  writeFileSync(fetchedPaths(folder.path, had).bytes, 'old')
  writeFileSync(fetchedPaths(folder.path, failed).failure, 'Gone.')
  writeFileSync(`${fetchedPaths(folder.path, part).bytes}.part`, 'ne')
  await fetchAll([had, failed, part, left])
  expect([had, failed, part, left].map(outcome)).toEqual(['old', 'Gone.', 'new', 'new'])
  expect(asked.toSorted()).toEqual(['/left', '/part'])
  expect(readdirSync(folder.path).filter(name => name.endsWith('.part'))).toEqual([])
})

test('holds the files of an import to their limit together, and sends no credentials of an address', async () => {
  answer = (_, response) => response.end('x'.repeat(600))
  await fetchAll([`${base}/1`])
  const signed = base.replace('//', '//user:password@')
  await fetchAll([`${base}/2`, `${signed}/3`], { mostBytes: 500 })
  expect(outcome(`${base}/2`)).toBe('The file is larger than 500 bytes.')
  expect(outcome(`${signed}/3`)).toContain('no credentials are sent')
  expect(asked).toEqual(['/1', '/2'])
})
