import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownBenchmark } from '../../src/engine/content/benchmarks/own-benchmark.ts'
import { insertImport } from '../../src/service/catalog/imports.store.ts'
import { addTasks, beginVersion } from '../../src/service/catalog/versions.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { startChildService } from '../support/child-service.ts'
import { prepareData } from '../support/prepared-data.ts'
import { startTestService, temporaryFolder } from '../support/service.ts'
import { importEnd, importToEnd } from './imports-upload.ts'

const now = '2026-11-20T09:30:00.000Z'
const id = '01a1fbee-850d-7273-9247-5973fbdcf678'

test('an import that a stop cut off leaves nothing half imported, and the next start says so', async () => {
  const folder = temporaryFolder()
  prepareData(folder.path)
  const first = await startTestService({ dataDir: folder.path })
  await first.close()
  leaveHalfAnImport(folder.path, first.workspaceId)

  await using service = await startTestService({ dataDir: folder.path })
  const record = await service.client.call('getImport', { params: { import_id: id } })
  expect(record).toMatchObject({ status: 'failed', source_ref: null, error_count: 1 })
  expect(record.errors[0]?.message).toBe('The service stopped while the import was under way. Nothing was imported; send the files again.')
  expect(existsSync(join(folder.path, 'uploads', id))).toBe(false)
  expect(await service.client.refusal('getBenchmark', { params: { slug: 'half' } })).toMatchObject({ code: 'not_found' })
  expect(await service.client.refusal('listTasks', { query: { source_ref: 'half@one' } })).toMatchObject({ code: 'not_found' })

  const files = [{ name: 'half.jsonl', content: '{"input": "a", "target": "b"}' }]
  const again = await importToEnd(service, { fields: { format: 'jsonl', name: 'Half', version: 'one' }, files })
  expect(again).toMatchObject({ status: 'imported', source_ref: 'eval://local/half/one' })
  await service.close()
  folder.remove()
})

/** What is on the disk when the process dies between two batches. */
function leaveHalfAnImport(dataDir: string, workspaceId: string): void {
  const db = openDatabase(join(dataDir, 'assay.db'))
  insertImport(db, workspaceId, {
    id,
    dry_run: false,
    recipe: null,
    format: 'jsonl',
    fetch: null,
    files: [],
    rows: { read: 0, valid: 0, invalid: 0 },
    columns: [],
    column_samples: [],
    mapping: null,
    preview: [],
    splits: [],
    answer_key: null,
    errors: [],
    error_count: 0,
    left_out: [],
    left_out_count: 0,
    media: null,
    remote_media: [],
    evaluators: [],
    remote_hosts: 0,
    choices: [],
    warnings: [],
    slug: 'half',
    source_ref: null,
    already_present: false,
    created_at: now,
    finished_at: null,
  })
  const versionNo = beginVersion(db, {
    workspaceId,
    origin: 'imported',
    definition: ownBenchmark('Half', 'half', false),
    content: { version: 'one', shots: [] },
    digest: '0'.repeat(64),
    taskCount: 2,
    files: [],
    createdAt: now,
  })
  const task = {
    id: 'a',
    split: 'test',
    fields: { input: 'a' },
    targets: ['b'],
    choices: null,
    metadata: {},
    capabilities: [],
    dependsOn: [],
  } as const
  addTasks(db, versionNo, [task], 0, [])
  db.close()
  mkdirSync(join(dataDir, 'uploads', id), { recursive: true })
  writeFileSync(join(dataDir, 'uploads', id, '0'), '{"input": "a", "target": "b"}')
}

test('an upload that was waiting when the service was killed is imported by the next start', async () => {
  const folder = temporaryFolder()
  const first = await startChildService(folder.path, [], 'task:1500')
  const form = new FormData()
  for (const [name, value] of Object.entries({ format: 'jsonl', name: 'Long' })) form.set(name, value)
  const lines = Array.from({ length: 3_000 }, (_, i) => JSON.stringify({ input: `question ${i}`, target: String(i) }))
  form.set('file', new Blob([lines.join('\n')]), 'long.jsonl')
  const reply = await fetch(`${first.baseUrl}/v1/catalog/imports`, { method: 'POST', headers: first.client.headers, body: form })
  const { id: importId } = (await reply.json()) as { id: string } // an accepted import's record
  expect(await first.gone).toBe('SIGKILL')

  await using service = await startTestService({ dataDir: folder.path })
  const record = await importEnd(service, importId)
  expect(record).toMatchObject({ status: 'imported', rows: { valid: 3_000 }, error_code: null })
  expect(await service.client.call('getJob', { params: { job_id: record.job_id ?? '' } })).toMatchObject({ state: 'succeeded', attempt: 2 })
  expect(existsSync(join(folder.path, 'uploads', importId))).toBe(false)
  await service.close()
  folder.remove()
})
