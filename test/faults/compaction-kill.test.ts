import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startChildService } from '../support/child-service.ts'
import { temporaryFolder } from '../support/service.ts'

/** Enough for a dozen slices and more. */
const freedRows = 5_000
const rowBytes = 4000

test('a compaction killed half-way leaves a sound database and is finished by the next start', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'assay.db')
  const first = await startChildService(folder.path)
  await first.stop()
  const database = new Sqlite(path)
  database.exec('create table filler (content blob)')
  database.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${freedRows}) insert into filler select randomblob(${rowBytes}) from n`,
  )
  database.exec('drop table filler')
  const free = Number(database.pragma('freelist_count', { simple: true }))
  database.close()
  expect(free).toBeGreaterThan(freedRows / 2)

  const killed = await startChildService(folder.path, [], 'slice:6')
  // It may die before it has answered.
  await killed.client.call('compactStorage', {}).catch(() => undefined)
  expect(await killed.gone).toBe('SIGKILL')

  const torn = new Sqlite(path)
  const left = Number(torn.pragma('freelist_count', { simple: true }))
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(free)
  expect(torn.pragma('integrity_check', { simple: true })).toBe('ok')
  torn.close()

  const next = await startChildService(folder.path)
  await expect.poll(async () => (await next.client.call('getStorage', {})).compaction?.finished_at).toBeTruthy()
  expect((await next.client.call('getStorage', {})).reusable_bytes).toBe(0)
  const { items } = await next.client.call('listJobs', { query: { kind: 'storage_compaction' } })
  expect(items).toMatchObject([{ state: 'succeeded', attempt: 2 }])
  await next.stop()
  folder.remove()
})
