import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job, JobKind } from '../../src/contract/jobs/jobs.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId } from '../support/runs.ts'
import { type Scripted, scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Issue 12, row 20: what fails unexpectedly ends with its reason, and is retried without a restart of the service. */
let service: TestService
let ended: Scripted

beforeAll(async () => {
  service = await startTestService({ logLevel: 'silent' })
  ended = await scriptedRun(service, await profileId(service.client, 'arithmetic-word-problems', 'zero-shot'), { samples: 3 })
})
afterAll(async () => {
  await ended.models.close()
  await service.close()
})

/** Makes a statement of the service fail as nothing foresees, until it is undone. */
function breakStatement(when: string): () => void {
  const change = (sql: string) => {
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    db.prepare(sql).run()
    db.close()
  }
  change(`create trigger broken before ${when} begin select raise(abort, 'secret cause'); end`)
  return () => change('drop trigger broken')
}

async function latest(kind: JobKind): Promise<Job> {
  const [job] = (await service.client.call('listJobs', { query: { kind } })).items
  if (!job) throw new Error(`There is no job of kind ${kind}.`)
  return job
}
const stateOf = async (kind: JobKind) => (await latest(kind)).state
const run = () => service.client.call('getRun', { params: { run_id: ended.run.id } })
const unexpected = { code: 'internal_error', message: expect.stringMatching(/^The job failed because of an error in Assay\./) }

test('a regrade that fails leaves the run at rest with its result, says why, and is retried', async () => {
  const repair = breakStatement('insert on scores when new.version = 2')
  expect(await service.client.call('regradeRun', { params: { run_id: ended.run.id }, body: {} })).toMatchObject({ id: ended.run.id })
  await expect.poll(() => stateOf('regrade')).toBe('failed')
  const job = await latest('regrade')
  expect(job).toMatchObject({ subject: { type: 'run', id: ended.run.id }, retryable: true, error: unexpected })
  expect(JSON.stringify(job)).not.toContain('secret cause')
  expect(await run()).toMatchObject({ status: 'complete', regrade: null, result_version: 1 })

  repair()
  await service.client.call('retryJob', { params: { job_id: job.id } })
  await expect.poll(() => stateOf('regrade')).toBe('succeeded')
  expect(await run()).toMatchObject({ status: 'complete', regrade: null, result_version: 2 })
})

test('a deletion that fails keeps the run deleted, says why, cannot be cancelled, and is retried', async () => {
  const repair = breakStatement('delete on samples')
  await service.client.call('deleteRun', { params: { run_id: ended.run.id } })
  await expect.poll(() => stateOf('run_deletion')).toBe('failed')
  const job = await latest('run_deletion')
  expect(job).toMatchObject({ subject: { type: 'run', id: ended.run.id }, retryable: true, error: unexpected })
  expect(await service.client.refusal('getRun', { params: { run_id: ended.run.id } })).toMatchObject({ status: 404 })
  expect(await service.client.refusal('cancelJob', { params: { job_id: job.id } })).toMatchObject({ code: 'illegal_transition' })

  repair()
  await service.client.call('retryJob', { params: { job_id: job.id } })
  await expect.poll(() => stateOf('run_deletion')).toBe('succeeded')
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  expect(db.prepare('select count(*) from samples').pluck().get()).toBe(0)
  db.close()
})
