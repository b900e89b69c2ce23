import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createCatalogService } from '../../../src/service/catalog/catalog.service.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { createCodePool } from '../../../src/workers/code-pool.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A thread whose first check of the sandboxes fails, as where its process was ended. */
function poolThatFailsOnce() {
  const folder = temporaryFolder()
  const filename = join(folder.path, 'code.worker.mjs')
  const tiers = `[{ id: 'linux', title: 'Linux', language: 'python', available: true, reason: '' }]`
  writeFileSync(
    filename,
    `let asked = 0
export default ({ kind }) => {
  if (kind !== 'examine') return
  if (++asked === 1) throw new Error('The interpreter was ended.')
  return { tiers: ${tiers}, chosen: { python: { id: 'linux' }, javascript: null } }
}`,
  )
  const pool = createCodePool({ filename, sandboxCache: folder.path })
  onTestFinished(async () => {
    await pool.close()
    folder.remove()
  })
  return { pool, folder }
}

const refuse = () => Promise.reject(new Error('Not asked for.'))

test('a check of the sandboxes that fails is told, and made again by who asks next', async () => {
  const { pool, folder } = poolThatFailsOnce()
  const db = openDatabase(join(folder.path, 'assay.db'))
  onTestFinished(() => db.close())
  migrate(db, new Date('2026-11-29T10:00:00.000Z'))
  const kernel = { db, config: { dataDir: folder.path }, log: pino({ level: 'silent' }) }
  const catalog = createCatalogService(
    kernel,
    { sandbox: pool.sandbox, scoringThreads: 1, croissant: refuse, searchTasks: refuse },
    () => [],
  )
  const shown = () => catalog.benchmark('mine', 'humaneval').quote_availability
  expect(shown().reasons[0]).toContain('Data not imported')
  await catalog.ready('mine')
  expect(shown()).toMatchObject({
    status: 'runner_unavailable',
    reasons: [expect.stringContaining('safely failed: The interpreter was ended. Ask again'), expect.any(String)],
  })
  await catalog.ready('mine')
  expect(shown().status).toBe('data_required')
})
