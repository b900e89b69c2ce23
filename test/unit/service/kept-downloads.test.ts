import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchedPaths } from '../../../src/engine/importing/media/remote-media.ts'
import { countDownloads, createKeptDownloads } from '../../../src/service/catalog/kept-downloads.ts'
import { makePng } from '../../support/media.ts'
import { temporaryFolder } from '../../support/service.ts'

const hourMs = 3_600_000
const [one, two] = ['http://a.test/1.png', 'http://a.test/2.png'] as const
let folder: ReturnType<typeof temporaryFolder>
let now = 0
beforeEach(() => {
  folder = temporaryFolder()
  now = Date.parse('2026-11-30T12:00:00Z')
})
afterEach(() => folder.remove())

const png = makePng([1, 2, 3])
const kept = (mostBytes?: number) =>
  createKeptDownloads({ config: { dataDir: folder.path }, clock: { now: () => new Date(now) } }, mostBytes)
const imported = (name: string, addresses: readonly string[]): string => {
  const path = join(folder.path, name)
  mkdirSync(path)
  for (const address of addresses) writeFileSync(fetchedPaths(path, address).bytes, png)
  return path
}
const keep = (workspaceId: string, name: string, addresses: readonly string[], mostBytes?: number): Promise<void> =>
  kept(mostBytes).keep(workspaceId, name, imported(name, addresses))
/** Names of what is adopted of both addresses, in the folder that the test says. */
const adopted = async (workspaceId: string, target: string, signal = new AbortController().signal): Promise<string[]> => {
  await kept().adopt(workspaceId, join(folder.path, target), [one, two], signal)
  return readdirSync(join(folder.path, target))
}

test('keeps for each workspace what failed imports downloaded, for a day', async () => {
  await keep('a', 'first', [one])
  now += 1
  await keep('a', 'second', [two])
  await keep('b', 'third', [two])
  expect(await adopted('c', 'none')).toEqual([])
  now += 24 * hourMs - 1
  expect(await adopted('a', 'later')).toEqual([fetchedPaths('', two).bytes])
  await kept().sweep()
  expect(readdirSync(join(folder.path, 'cache', 'fetched-media'))).toHaveLength(2)
  now += 1
  expect(await adopted('b', 'late')).toEqual([])
  await kept().sweep()
  expect(readdirSync(join(folder.path, 'cache', 'fetched-media'))).toEqual([])
})

test('takes what is not kept out of the way at once, and removes nothing else', async () => {
  await keep('a', 'failed', [one])
  const done = imported('done', [two])
  const removed = kept().drop(done)
  expect(existsSync(done)).toBe(false)
  await removed
  expect(await adopted('a', 'next')).toEqual([fetchedPaths('', one).bytes])
  await kept().drop(join(folder.path, 'never-there'))
  expect(readdirSync(join(folder.path, 'cache', 'fetched-media'))).toHaveLength(1)
})

test('lets no failed import throw away what another left, unless it has as many bytes as are kept', async () => {
  await keep('a', 'many', [one, two])
  now += 1
  await keep('a', 'few', [one], 3 * png.length)
  expect(await adopted('a', 'both')).toHaveLength(2)
  await keep('b', 'older', [one])
  now += 1
  await keep('b', 'newer', [two], png.length)
  expect(await adopted('b', 'newest')).toEqual([fetchedPaths('', two).bytes])
})

test('serves imports that meet: each file goes to one of them', async () => {
  await keep('a', 'first', [one, two])
  await Promise.all([adopted('a', 'left'), adopted('a', 'right'), kept().sweep(), keep('a', 'other', [])])
  expect(new Set([...readdirSync(join(folder.path, 'left')), ...readdirSync(join(folder.path, 'right'))]).size).toBe(2)
})

test('moves nothing for an import that was cancelled', async () => {
  await keep('a', 'first', [one])
  await expect(adopted('a', 'target', AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await adopted('a', 'next')).toHaveLength(1)
})

test('counts no reasons of failures', () => {
  const path = imported('failed', [one])
  writeFileSync(fetchedPaths(path, two).failure, 'HTTP 404')
  expect(countDownloads(path)).toBe(1)
  expect(countDownloads(join(folder.path, 'absent'))).toBe(0)
})
