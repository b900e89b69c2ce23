import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundledBenchmarks } from '../../src/engine/content/benchmarks/bundled-benchmarks.ts'
import { environmentFamilies } from '../../src/engine/execution/environments/families/families.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const shipped = bundledBenchmarks().length + environmentFamilies.length
let service: TestService | undefined
let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await service?.close()
  folder.remove()
})

function stored(dataDir: string): number {
  const db = new Sqlite(join(dataDir, 'assay.db'), { readonly: true })
  try {
    return db.prepare<[], { n: number }>('select count(*) as n from benchmarks').get()?.n ?? 0
  } finally {
    db.close()
  }
}

test('a service is ready before shipped content is stored, and requests for it return everything', async () => {
  service = await startTestService({ dataDir: folder.path })
  expect(stored(service.dataDir)).toBeLessThan(shipped)
  const { items } = await service.client.call('listBenchmarks', { query: { limit: 100 } })
  const { items: environments } = await service.client.call('listEnvironments', { query: {} })
  const slugs = new Set(items.map(item => item.slug))
  expect(bundledBenchmarks().filter(({ definition }) => !slugs.has(definition.slug))).toEqual([])
  expect(environments).toHaveLength(environmentFamilies.length)
  expect(stored(service.dataDir)).toBe(shipped)
})

test('a service stopped during seeding continues at its next start', async () => {
  service = await startTestService({ dataDir: folder.path })
  await service.restart()
  await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  expect(stored(service.dataDir)).toBe(shipped)
})
