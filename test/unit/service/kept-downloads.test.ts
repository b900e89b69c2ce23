import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchedPaths } from '../../../src/engine/importing/media/remote-media.ts'
import { createKeptDownloads } from '../../../src/service/catalog/kept-downloads.ts'
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

const kept = () => createKeptDownloads({ config: { dataDir: folder.path }, clock: { now: () => new Date(now) } })
const imported = (name: string, addresses: readonly string[]): string => {
  const path = join(folder.path, name)
  mkdirSync(path)
  for (const address of addresses) writeFileSync(fetchedPaths(path, address).bytes, makePng([1, 2, 3]))
  return path
}

test('keeps for each workspace what the last failed import downloaded, for a day', async () => {
  expect(kept().keep('a', imported('first', [one]))).toBe(1)
  expect(kept().keep('a', imported('second', [one, two]))).toBe(2)
  expect(kept().keep('b', imported('third', [two]))).toBe(1)
  const target = join(folder.path, 'target')
  await kept().adopt('b', target, [one])
  expect(readdirSync(target)).toEqual([])
  now += 24 * hourMs - 1
  await kept().adopt('a', target, [one])
  expect(readdirSync(target)).toHaveLength(1)
  now += 1
  await kept().adopt('a', target, [two])
  expect(readdirSync(target)).toHaveLength(1)
})

test('keeps no reasons of failures, and nothing of a folder without other files', () => {
  const path = imported('failed', [])
  writeFileSync(fetchedPaths(path, one).failure, 'HTTP 404')
  expect(kept().keep('a', path)).toBe(0)
  expect(kept().keep('a', join(folder.path, 'absent'))).toBe(0)
  expect(existsSync(join(folder.path, 'cache'))).toBe(false)
})
