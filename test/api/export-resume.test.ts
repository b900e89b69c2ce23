import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let path: string
let whole: Buffer
let etag: string

const download = async (headers: Record<string, string> = {}) => {
  const reply = await service.fetch(path, { headers })
  return { reply, body: Buffer.from(await reply.arrayBuffer()) }
}

beforeAll(async () => {
  service = await startTestService()
  const { client, baseUrl } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 10, seed: 1 },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
  path = `/v1/runs/${run.id}/export?format=csv`
  const { reply, body } = await download()
  whole = body
  etag = reply.headers.get('etag') ?? ''
  expect([reply.status, reply.headers.get('accept-ranges'), reply.headers.get('content-length')]).toEqual([
    200,
    'bytes',
    String(body.length),
  ])
})
afterAll(() => service.close())

test.each([
  ['the rest', 'bytes=100-', 100, () => whole.length],
  ['a part', 'bytes=10-19', 10, () => 20],
  ['a part that ends beyond the file', 'bytes=10-999999999', 10, () => whole.length],
])('an export is resumed with %s', async (_, range, from, to) => {
  const { reply, body } = await download({ range, 'if-range': etag })
  expect(reply.status).toBe(206)
  expect(body.equals(whole.subarray(from, to()))).toBe(true)
  expect(reply.headers.get('content-range')).toBe(`bytes ${from}-${to() - 1}/${whole.length}`)
})

test('the last bytes of an export can be read', async () => {
  const { reply, body } = await download({ range: 'bytes=-50' })
  expect([reply.status, body.equals(whole.subarray(-50))]).toEqual([206, true])
})

test.each([
  ['of another file', { range: 'bytes=100-', 'if-range': '"another"' }],
  ['in several parts', { range: 'bytes=0-1,4-5' }],
  ['that ends before it begins', { range: 'bytes=9-3' }],
  ['in another unit', { range: 'rows=1-2' }],
])('a range %s is answered with the whole export', async (_, headers) => {
  const { reply, body } = await download(headers)
  expect([reply.status, body.equals(whole)]).toEqual([200, true])
})

test('a range beyond the export is refused with its length', async () => {
  const { reply, body } = await download({ range: `bytes=${whole.length}-` })
  expect([reply.status, body.length, reply.headers.get('content-range')]).toEqual([416, 0, `bytes */${whole.length}`])
})

test('an export is prepared by a job with progress, then downloads the same file', async () => {
  const { client } = service
  const params = { run_id: path.split('/')[3] ?? '' }
  const job = await client.call('prepareRunExport', { params, body: { format: 'html' } })
  const end = async () => client.call('getJob', { params: { job_id: job.id } })
  await expect.poll(async () => (await end()).state).toBe('succeeded')
  expect((await end()).progress).toMatchObject({ done: 10, total: 10 })
  const files = readdirSync(join(service.dataDir, 'exports'))
  expect(files).toContain(`${params.run_id}-v1.html`)
  const report = await service.fetch(`/v1/runs/${params.run_id}/export?format=html`)
  expect([report.status, (await report.text()).startsWith('<!DOCTYPE html>')]).toEqual([200, true])
})

test('an export is resumed after a restart of the service', async () => {
  await service.restart()
  const { reply, body } = await download({ range: 'bytes=100-', 'if-range': etag })
  expect([reply.status, body.equals(whole.subarray(100))]).toEqual([206, true])
})
