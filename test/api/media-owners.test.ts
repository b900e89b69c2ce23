import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspectMedia } from '../../src/engine/media/inspect-media.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { makePng } from '../support/media.ts'
import { movingClock } from '../support/moving-clock.ts'
import { recordSpans } from '../support/otlp.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { newSession } from '../support/tuning.ts'
import { importToEnd } from './imports-upload.ts'

const clock = movingClock()
let service: TestService
beforeAll(async () => {
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

let made = 0
/** Another picture each time. */
const picture = (): Buffer<ArrayBuffer> => makePng([++made, 50, 50], { width: 20, height: 20 })
const digestOf = (bytes: Buffer): string => inspectMedia(bytes).digest

async function upload(bytes: Buffer<ArrayBuffer>): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'a.png')
  expect((await service.fetch('/v1/media', { method: 'POST', body: form })).status).toBe(201)
  return digestOf(bytes)
}

async function sendTrace(name: string, bytes: Buffer): Promise<void> {
  const { authorization = '' } = service.keyClient.headers
  const url = `${service.baseUrl}/v1/traces`
  const exporter = new ProtobufExporter({ url, headers: { authorization, 'x-workspace-id': service.workspaceId } })
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` } }
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: [image] }]) }
  await recordSpans([{ name, attributes }], exporter)
}

interface Owner {
  /** Makes what shows the pictures. @returns how it is removed */
  show(bytes: Buffer<ArrayBuffer>): Promise<() => Promise<unknown>>
}

const nothing = () => Promise.resolve()

/** By the column or table that names the file. */
const owners: Readonly<Record<string, Owner>> = {
  'media_references.expires_at': { show: bytes => upload(bytes).then(() => nothing) },
  'media_references.version_no': {
    show: async bytes => {
      const row = JSON.stringify({ id: '1', question: 'What?', answer: 'red', image: `data:image/png;base64,${bytes.toString('base64')}` })
      const { slug } = await importToEnd(service, {
        fields: { format: 'jsonl', name: 'Shown' },
        files: [{ name: 'd.jsonl', content: row }],
      })
      return () => service.client.call('deleteItem', { query: { kind: 'benchmark', id: slug ?? '' } })
    },
  },
  'media_references.dataset_no': {
    show: async bytes => {
      const image = await upload(bytes)
      const { id } = await service.client.call('createDataset', { body: { name: 'Shown', task: 'answer' } })
      const examples = [{ input: { image }, output: 'red', metadata: {} }]
      await service.client.call('addExamples', { params: { dataset_id: id }, body: { examples } })
      return () => service.client.call('deleteItem', { query: { kind: 'dataset', id } })
    },
  },
  'media_references.session_no': {
    show: async bytes => {
      const image = { type: 'image' as const, media: (await upload(bytes)) as `sha256:${string}` }
      const { id } = await service.client.call('createTuneSession', { body: { ...newSession(0), cases: [{ input: [image] }] } })
      return () => service.client.call('deleteItem', { query: { kind: 'session', id } })
    },
  },
  trace_media: {
    show: async bytes => {
      await sendTrace('shown', bytes)
      return async () => {
        clock.advance(1000)
        await sendTrace('later', picture())
        await service.client.call('changeRetention', { body: { kind: 'traces', max_age_days: null, max_items: 1 } })
        const items = () => service.client.call('listTraces', { query: { limit: 10 } }).then(page => page.items.length)
        await expect.poll(items).toBe(1)
      }
    },
  },
}

/** Columns and tables that may name a stored file; one that ends with another file names none of its own. */
function inSchema(): string[] {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all().map(String)
  const keysOf = (table: string) =>
    db.prepare(`select "table" as target, "from" as source from pragma_foreign_key_list(?)`).all(table) as {
      target: string
      source: string
    }[]
  const naming = tables.filter(table => table !== 'resized_media' && keysOf(table).some(({ target }) => target === 'media'))
  const found = naming.flatMap(table => {
    const own = keysOf(table).filter(({ target }) => target !== 'media' && target !== 'workspaces')
    return table === 'media_references' ? own.map(({ source }) => `${table}.${source}`) : [table]
  })
  db.close()
  return found
}

test('whatever can show a file is removed here', () => {
  expect(['media_references.expires_at', ...inSchema()].toSorted()).toEqual(Object.keys(owners).toSorted())
})

const isThere = (digest: string) => existsSync(join(service.dataDir, 'media', digest.slice(7, 9), digest.slice(7)))

/** A cleanup that begins from here on. */
async function clean(days: number): Promise<void> {
  clock.advance(days * 24 * 3_600_000)
  const before = (await service.client.call('listJobs', { query: { kind: 'media_cleanup' } })).items.length
  await service.restart()
  await expect
    .poll(async () => {
      const { items } = await service.client.call('listJobs', { query: { kind: 'media_cleanup' } })
      return items.length > before && items[0]?.state
    })
    .toBe('succeeded')
}

test('a file is on the disk as long as what shows it, and is gone with the last', async () => {
  const shown = Object.keys(owners).map(picture)
  const removals: [owner: string, digest: string, remove: () => Promise<unknown>][] = []
  for (const [i, [owner, { show }]] of Object.entries(owners).entries()) {
    const bytes = shown[i] ?? picture()
    removals.push([owner, digestOf(bytes), await show(bytes)])
  }
  const there = () => removals.flatMap(([owner, digest]) => (isThere(digest) ? [owner] : []))
  expect(there()).toEqual(Object.keys(owners))
  await clean(8)
  const lasting = Object.keys(owners).filter(owner => owner !== 'media_references.expires_at')
  expect(there()).toEqual(lasting)
  for (const [, , remove] of removals) await remove()
  await clean(2)
  expect(there()).toEqual([])
  for (const [, digest] of removals) expect((await service.fetch(`/v1/media/${digest}`)).status).toBe(404)
})

test('a file that two show stays with the other', async () => {
  const bytes = picture()
  const [dataset, session] = await Promise.all([
    owners['media_references.dataset_no']?.show(bytes),
    owners['media_references.session_no']?.show(bytes),
  ])
  await dataset?.()
  await clean(8)
  expect(isThere(digestOf(bytes))).toBe(true)
  expect((await service.fetch(`/v1/media/${digestOf(bytes)}`)).status).toBe(200)
  await session?.()
  await clean(2)
  expect(isThere(digestOf(bytes))).toBe(false)
})
