import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function keyWith(...scopes: ('jobs:read' | 'jobs:write' | 'workspace:write')[]): Promise<TestClient> {
  const { key } = await service.client.call('createApiKey', { body: { name: scopes.join(' '), scopes } })
  return clientFor(service.baseUrl, key, service.workspaceId)
}

test('an import is a job of the workspace, owned by its sender', async () => {
  const files = [{ name: 'a.jsonl', content: '{"input": "a", "target": "b"}' }]
  const record = await importToEnd(service, { fields: { format: 'jsonl', name: 'Jobs' }, files })
  const reader = await keyWith('jobs:read')
  const job = await reader.call('getJob', { params: { job_id: record.job_id ?? '' } })
  expect(job).toMatchObject({
    kind: 'catalog_import',
    state: 'succeeded',
    workspace_id: service.workspaceId,
    subject: { type: 'import', id: record.id },
    owner: { kind: 'person' },
    progress: { done: 1, total: 1 },
    attempt: 1,
    error: null,
  })
  const { items } = await reader.call('listJobs', { query: { kind: 'catalog_import', state: 'succeeded' } })
  expect(items).toEqual([job])
  expect((await reader.call('listJobs', { query: { kind: 'backup' } })).items).toEqual([])
  const previewed = await importToEnd(service, { fields: { format: 'jsonl', name: 'Jobs', dry_run: 'true' }, files })
  expect(await reader.call('getJob', { params: { job_id: previewed.job_id ?? '' } })).toMatchObject({ kind: 'catalog_import_preview' })
  expect((await reader.call('listJobs', { query: { kind: 'catalog_import' } })).items).toEqual([job])
  const of = async (subject_id: string) => (await reader.call('listJobs', { query: { subject_id } })).items.map(({ id }) => id)
  expect(await of(record.id)).toEqual([job.id])
  expect(await of(previewed.id)).toEqual([previewed.job_id])
  expect(await reader.refusal('cancelJob', { params: { job_id: job.id } })).toMatchObject({ status: 403, code: 'missing_scope' })
  expect(await service.client.refusal('cancelJob', { params: { job_id: job.id } })).toMatchObject({
    status: 409,
    code: 'illegal_transition',
  })
  expect(await service.client.refusal('retryJob', { params: { job_id: job.id } })).toMatchObject({
    status: 409,
    code: 'illegal_transition',
  })
})

test('an import that its data fails is a failed job with the reason, and cannot be retried', async () => {
  const files = [{ name: 'a.jsonl', content: '{"input": "a"\n{"input":' }]
  const record = await importToEnd(service, { fields: { format: 'jsonl', name: 'Bad' }, files })
  expect(record).toMatchObject({ status: 'failed', error_code: 'validation_error' })
  const job_id = record.job_id ?? ''
  const job = await service.client.call('getJob', { params: { job_id } })
  expect(job).toMatchObject({ state: 'failed', retryable: false, error: { code: 'validation_error' } })
  expect(job.error?.message).toContain(record.errors[0]?.message)
  expect(await service.client.refusal('retryJob', { params: { job_id } })).toMatchObject({ status: 409, code: 'conflict' })
})

test('a job of the whole machine is seen with jobs:read and controlled only by who may start it', async () => {
  const { examination_job_id: job_id } = await service.client.call('examineStorage', {})
  const params = { job_id: job_id ?? '' }
  await expect.poll(async () => (await service.client.call('getJob', { params })).state).toBe('succeeded')
  const narrow = await keyWith('jobs:read', 'jobs:write')
  expect(await narrow.call('getJob', { params })).toMatchObject({ kind: 'database_examination', workspace_id: null })
  for (const operation of ['cancelJob', 'retryJob'] as const)
    expect(await narrow.refusal(operation, { params })).toMatchObject({ status: 403, code: 'missing_scope' })
  const wide = await keyWith('jobs:write', 'workspace:write')
  for (const operation of ['cancelJob', 'retryJob'] as const)
    expect(await wide.refusal(operation, { params })).toMatchObject({ status: 403, code: 'owner_session_required' })
  expect(await service.client.refusal('cancelJob', { params })).toMatchObject({ status: 409, code: 'illegal_transition' })
})
