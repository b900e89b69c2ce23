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

test('where shipped content cannot be stored, folders can still be listed, and items moved and deleted', async () => {
  service = await startTestService({ dataDir: folder.path, logLevel: 'silent' })
  const { client } = service
  await client.call('listBenchmarks', { query: { limit: 1 } })
  const { id } = await client.call('createDataset', { body: { name: 'Old', task: 'classify', labels: ['pass', 'fail'] } })
  await service.restart(() => {
    const db = new Sqlite(join(folder.path, 'assay.db'))
    db.exec(`pragma foreign_keys = off; delete from benchmarks where slug = 'arithmetic-word-problems';
      create trigger full before insert on benchmarks begin select raise(abort, 'disk is full'); end`)
    db.close()
  })
  const present = service.client
  expect((await present.refusal('listBenchmarks', { query: { limit: 1 } })).status).toBeGreaterThanOrEqual(500)
  await present.call('listFolders', { query: { kind: 'dataset' } })
  await present.call('changeItems', { body: { kind: 'dataset', ids: [id], folder: 'Old' } })
  await present.call('deleteItem', { query: { kind: 'dataset', id } })
})
