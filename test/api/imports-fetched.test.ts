import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { gsm8kLines, importEnd, importToEnd, upload } from './imports-upload.ts'

const github = '/raw.githubusercontent.com'
const hellaswagPath = `${github}/rowanz/hellaswag/master/data/hellaswag_val.jsonl`
const endings = ['stirs.', 'flies.', 'sings.', 'sleeps.']
const hellaswagRow = JSON.stringify({ activity_label: 'Cooking', ctx: 'She opens the pot and', endings, label: 0, source_id: 'x' })

let service: TestService
let publisher: Server
let files: Readonly<Record<string, string>> = {}
let asked: string[] = []
let held: Promise<void> | null = null

beforeAll(async () => {
  publisher = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const body = Object.entries(files).find(([known]) => path.endsWith(known))?.[1]
    if (body === undefined) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) })
    response.write(body.slice(0, 10))
    void (held ?? Promise.resolve()).then(() => response.end(body.slice(10)))
  })
  await new Promise<void>(resolve => publisher.listen(0, '127.0.0.1', resolve))
  const { port } = publisher.address() as AddressInfo // it listens on TCP
  service = await startTestService({ recipeMirror: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await service.close()
  publisher.close()
})
beforeEach(() => {
  asked = []
  held = null
})

const fetching = (recipe: string, more: Readonly<Record<string, string>> = {}) =>
  importToEnd(service, { fields: { recipe, fetch: 'true', ...more } })

test('downloads what the recipe names, tells how far it is, imports it, and the network log says so', async () => {
  files = { 'hellaswag_val.jsonl': hellaswagRow }
  const going = Promise.withResolvers<void>()
  held = going.promise
  const begun = (await (await upload(service, { fields: { recipe: 'hellaswag', fetch: 'true' } })).json()) as { id: string } // an accepted import's record
  await expect
    .poll(async () => (await service.client.call('getImport', { params: { import_id: begun.id } })).fetch)
    .toEqual({
      url: 'https://raw.githubusercontent.com/rowanz/hellaswag/master/data/hellaswag_val.jsonl',
      file_name: 'hellaswag_val.jsonl',
      file_number: 1,
      file_count: 1,
      received_bytes: 10,
      total_bytes: hellaswagRow.length,
    })
  going.resolve()
  const record = await importEnd(service, begun.id)
  expect(record).toMatchObject({
    status: 'imported',
    rows: { valid: 1 },
    slug: 'hellaswag',
    fetch: { received_bytes: hellaswagRow.length },
  })
  expect(record.files).toEqual([expect.objectContaining({ role: 'validation', bytes: hellaswagRow.length, checksum: 'unknown_upstream' })])
  expect(asked).toEqual([hellaswagPath])
  const { items } = await service.client.call('listNetworkHosts', {})
  expect(items).toEqual([expect.objectContaining({ requests: 1, received_bytes: hellaswagRow.length })])
  expect(foldersLeft()).toEqual([])
  const { recipe, profiles } = await service.client.call('getBenchmark', { params: { slug: 'hellaswag' } })
  expect(recipe?.can_fetch).toBe(true)
  expect(profiles.map(({ quote_availability }) => quote_availability.status)).toContain('ready_for_quote')
})

test('refuses a file that is not the one the recipe knows by its checksum', async () => {
  files = { 'test.jsonl': gsm8kLines(3), 'train.jsonl': gsm8kLines(5) }
  const record = await fetching('gsm8k')
  expect(record).toMatchObject({ status: 'failed', source_ref: null, error_count: 1 })
  expect(record.errors[0]).toMatchObject({ file: 'test.jsonl', line: null })
  expect(record.errors[0]?.message).toMatch(/is not the file that the recipe knows: its SHA-256 is [0-9a-f]{64} and should be 3730d312f6e3/)
})

test('a file that is gone ends the import with what to do instead, and a dry run lands nothing', async () => {
  files = {}
  const gone = await fetching('squad')
  expect(gone).toMatchObject({ status: 'failed', fetch: { file_name: 'dev-v1.1.json' } })
  expect(gone.errors).toEqual([
    {
      file: 'dev-v1.1.json',
      line: null,
      message:
        'rajpurkar.github.io no longer has this file (HTTP 404). Download dev-v1.1.json yourself from https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v1.1.json and import it here.',
    },
  ])
  expect(foldersLeft()).toEqual([])
  files = { 'hellaswag_val.jsonl': hellaswagRow.replace('pot', 'door') }
  expect(await fetching('hellaswag', { dry_run: 'true' })).toMatchObject({ status: 'previewed', rows: { valid: 1 }, source_ref: null })
})

test.each([
  ['without a recipe', { fields: { fetch: 'true' } }, 'body.fetch', 'with "recipe" only'],
  ['with a format', { fields: { fetch: 'true', format: 'jsonl' } }, 'body.fetch', 'with "recipe" only'],
  ['beside a file', { fields: { fetch: 'true', recipe: 'gsm8k' }, files: [{ name: 'a', content: '{}' }] }, 'body.file', 'one or the other'],
  ['with a word that is no truth value', { fields: { fetch: 'yes', recipe: 'gsm8k' } }, 'body.fetch', ''],
  [
    'of a recipe whose data no fixed address answers with',
    { fields: { fetch: 'true', recipe: 'mmlu-pro' } },
    'body.fetch',
    'the data of the recipe "mmlu-pro" cannot be fetched, since no fixed address answers with it: get test-00000-of-00001.parquet (see https://huggingface.co/',
  ],
])('is refused %s, and nothing is asked for', async (_, given, where, words) => {
  const reply = await upload(service, given)
  const { error, detail } = (await reply.json()) as { error: { message: string }; detail: { loc: string[] }[] } // the form of every refusal
  expect({ status: reply.status, where: detail[0]?.loc.join('.') }).toEqual({ status: 422, where })
  expect(error.message).toContain(words)
  expect(asked).toEqual([])
})

test('resumes after a restart of the service', async () => {
  files = { 'hellaswag_val.jsonl': hellaswagRow.replace('pot', 'lid') }
  held = new Promise(() => {})
  const begun = (await (await upload(service, { fields: { recipe: 'hellaswag', fetch: 'true' } })).json()) as { id: string } // an accepted import's record
  await expect.poll(() => asked).toEqual([hellaswagPath])
  held = null
  await service.restart()
  expect(await importEnd(service, begun.id)).toMatchObject({ status: 'imported', error_code: null, rows: { valid: 1 } })
  expect(asked).toEqual([hellaswagPath, hellaswagPath])
  expect(foldersLeft()).toEqual([])
})

test('is cancelled immediately, and its retry downloads again', async () => {
  files = { 'hellaswag_val.jsonl': hellaswagRow.replace('pot', 'cup') }
  held = new Promise(() => {})
  const begun = (await (await upload(service, { fields: { recipe: 'hellaswag', fetch: 'true' } })).json()) as { id: string; job_id: string } // an accepted import's record
  const { id, job_id } = begun
  await expect
    .poll(async () => (await service.client.call('getJob', { params: { job_id } })).progress)
    .toMatchObject({ done: 10, message: 'Downloading hellaswag_val.jsonl' })
  const cancelled = await service.client.call('cancelJob', { params: { job_id } })
  expect(cancelled).toMatchObject({ kind: 'catalog_import_download', state: 'cancelled', retryable: true, subject: { type: 'import', id } })
  const record = await service.client.call('getImport', { params: { import_id: id } })
  expect(record).toMatchObject({
    status: 'failed',
    error_code: 'cancelled',
    errors: [{ message: 'The job was cancelled. Nothing was imported.' }],
  })
  expect(foldersLeft()).toEqual([])
  held = null
  expect(await service.client.call('retryJob', { params: { job_id } })).toMatchObject({ state: 'queued', error: null })
  expect(await importEnd(service, id)).toMatchObject({ status: 'imported', error_code: null, errors: [] })
})

test('says which host could not be reached when there is no network', async () => {
  publisher.closeAllConnections()
  await new Promise(resolve => publisher.close(resolve))
  const record = await fetching('truthfulqa-mc1')
  expect(record.status).toBe('failed')
  expect(record.errors[0]?.message).toMatch(
    /^Could not reach raw\.githubusercontent\.com: .* Download mc_task\.json yourself from https:\/\/raw\.githubusercontent\.com\/sylinrl\/TruthfulQA\/main\/data\/mc_task\.json and import it here\.$/,
  )
})

/** Names of the folders that downloads have left on the disk. */
function foldersLeft(): string[] {
  const folder = join(service.dataDir, 'uploads')
  return existsSync(folder) ? readdirSync(folder) : []
}
