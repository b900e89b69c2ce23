import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openZip } from '../../src/engine/archives/read-zip.ts'
import { inspectMedia } from '../../src/engine/media/inspect-media.ts'
import { guessColumns, mappingOf } from '../../src/renderer/datasets/import-form.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { versionNeeds } from '../../src/storage/reads/version-needs.ts'
import { importEnded, importExamples, sendExamples } from '../support/datasets.ts'
import { makeExif, makeJpeg, makePdf, makePng, makeWav } from '../support/media.ts'
import { patience } from '../support/machine-speed.ts'
import { movingClock } from '../support/moving-clock.ts'
import { makeTar } from '../support/make-tar.ts'
import { makeZip } from '../support/make-zip.ts'
import { startTestService, type TestService } from '../support/service.ts'

let here: TestService
let there: TestService
beforeAll(async () => {
  here = await startTestService()
  there = await startTestService()
})
afterAll(async () => {
  await here.close()
  await there.close()
})

const files = [makePng([200, 10, 10], { width: 40, height: 20 }), makeWav(60), makePdf(1)]
/** As an export names its columns. */
const mapping = { input: 'input', output: 'output', expected: 'expected', id: 'example_id', metadata: 'metadata' }

async function stored(service: TestService, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'file')
  const { digest } = (await (await service.fetch('/v1/media', { method: 'POST', body: form })).json()) as { digest: string } // media.test.ts checks the shape
  return digest
}

const newDataset = async (service: TestService): Promise<string> =>
  (await service.client.call('createDataset', { body: { name: 'Pictures', task: 'answer' } })).id

/** Approves all examples and freezes them. */
async function frozen(service: TestService, dataset_id: string) {
  const { items } = await service.client.call('listExamples', { params: { dataset_id } })
  for (const { id, revision } of items)
    await service.client.call('reviewExample', { params: { dataset_id, example_id: id }, body: { revision, decision: 'approve' } })
  return service.client.call('createDatasetVersion', { params: { dataset_id }, body: {} })
}

async function exported(service: TestService, datasetId: string, versionId: string): Promise<Buffer<ArrayBuffer>> {
  const reply = await service.fetch(`/v1/datasets/${datasetId}/versions/${versionId}/export?format=zip`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return Buffer.from(await reply.arrayBuffer())
}

test('an exported version holds its files, and becomes the same examples with them on another machine', async () => {
  const digests = await Promise.all(files.map(bytes => stored(here, bytes)))
  const [picture = '', sound = '', paper = ''] = digests
  const dataset_id = await newDataset(here)
  const text = { type: 'text', text: 'What is this?' }
  await here.client.call('addExamples', {
    params: { dataset_id },
    body: {
      examples: [
        {
          input: [{ role: 'user', content: [{ type: 'image', media: picture }, text] }],
          output: 'red',
          expected: 'red',
          metadata: { split: 'a', n: 1 },
        },
        { input: { question: 'Listen.', sound, paper }, output: 'a tone', metadata: {} },
        { input: `The text "sha256:${'0'.repeat(64)}" names nothing`, output: 'no', metadata: {} },
      ],
    },
  })
  const version = await frozen(here, dataset_id)
  const zip = await exported(here, dataset_id, version.id)
  expect(await exported(here, dataset_id, version.id)).toEqual(zip)
  const archive = openZip(zip)
  const listed = JSON.parse(Buffer.from(archive.read('media.json')).toString()) as { digest: string; file: string }[] // as zip-media.ts writes it
  expect(listed.map(({ digest }) => digest).toSorted()).toEqual(digests.toSorted())
  for (const { digest, file } of listed) expect(Buffer.from(archive.read(file))).toEqual(files[digests.indexOf(digest)])
  const db = openDatabase(`${here.dataDir}/assay.db`, { readonly: true })
  const no = Number(db.prepare('select no from dataset_versions where id = ?').pluck().get(version.id))
  const needs = [...versionNeeds(db, no)]
  db.close()
  expect(needs.reduce((sum, need) => sum + need.files, 0)).toBe(3)
  const unpacked = archive.names.filter(name => name !== 'media.json').reduce((sum, name) => sum + archive.sizeOf(name), 0)
  expect(needs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(unpacked)

  const other = await newDataset(there)
  const fields = { format: 'jsonl', mapping: JSON.stringify(mapping) }
  expect(
    await importExamples(there, other, { name: 'pictures-v1.zip', content: zip, fields: { ...fields, dry_run: 'true' } }),
  ).toMatchObject({
    status: 'previewed',
    rows: { valid: 3 },
    warnings: [],
  })
  expect((await there.fetch(`/v1/media/${picture}`)).status).toBe(404)
  expect(await importExamples(there, other, { name: 'pictures-v1.zip', content: zip, fields })).toMatchObject({
    status: 'imported',
    created: 3,
    errors: [],
  })
  for (const [i, digest] of digests.entries())
    expect(Buffer.from(await (await there.fetch(`/v1/media/${digest}`)).arrayBuffer())).toEqual(files[i])
  const again = await frozen(there, other)
  const digestsOf = (content: Buffer) =>
    Buffer.from(openZip(content).read('examples-0001.jsonl'))
      .toString()
      .trimEnd()
      .split('\n')
      .map(line => (JSON.parse(line) as { digest: string }).digest) // of an example of a version
  expect(digestsOf(await exported(there, other, again.id))).toEqual(digestsOf(zip))
})

const conversation = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Which?' },
]

test.each([
  { task: 'answer' as const, output: 'red', label: 'pass' },
  { task: 'classify' as const, labels: ['0', 'two words'], output: null, label: '0' },
  { task: 'pairwise' as const, output: { a: '1.10', b: '' }, label: 'tie' },
  { task: 'score' as const, score_range: [1, 5] as [number, number], output: 'red', label: 4.5 },
])('a version of the task $task becomes the same examples, as the form reads its rows', async ({ output, label, ...made }) => {
  const create = async (service: TestService) => (await service.client.call('createDataset', { body: { name: 'Round trip', ...made } })).id
  const from = await create(here)
  const examples = [
    { input: conversation, output, expected: ['one', '2'], metadata: { n: 1, list: [{ a: null }] } },
    { input: { question: 'Which?', n: 2 }, output, expected: 'one', metadata: {} },
    { input: 'Which? Nobody says.', output, metadata: {} },
  ]
  const { items } = await here.client.call('addExamples', { params: { dataset_id: from }, body: { examples } })
  for (const example_id of items.slice(0, 2).map(item => item.example_id))
    await here.client.call('labelExample', { params: { dataset_id: from, example_id }, body: { revision: 1, value: label } })
  const version = await frozen(here, from)
  const zip = await exported(here, from, version.id)
  const to = await create(there)
  const look = await importExamples(there, to, { name: 'a.zip', content: zip, fields: { format: 'jsonl', dry_run: 'true' } })
  const mapping = mappingOf(guessColumns(look.columns, made.task), made.task)
  const fields = { format: 'jsonl', mapping: JSON.stringify(mapping) }
  expect(await importExamples(there, to, { name: 'a.zip', content: zip, fields })).toMatchObject({
    status: 'imported',
    errors: [],
    created: 3,
  })
  const again = await frozen(there, to)
  expect(again.digest).toBe(version.digest)
})

test('a pairwise dataset says what its outputs must be', async () => {
  const { id } = await here.client.call('createDataset', { body: { name: 'Pairs', task: 'pairwise' } })
  const content = [{ a: 'x' }, 'x', null].map(output => JSON.stringify({ input: 'Hi', output })).join('\n')
  const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'input', output: 'output' }) }
  const { status, errors } = await importExamples(here, id, { name: 'a.jsonl', content, fields })
  expect([status, errors.map(({ line }) => line)]).toEqual(['failed', [1, 2, 3]])
  expect(errors[0]?.message).toBe('The field "output" must be an object with the texts "a" and "b", which are the two outputs.')
})

test('what an archive takes at most counts a file that was uploaded after the example that names it', async () => {
  const dataset_id = await newDataset(here)
  const late = makePng([7, 70, 170])
  const image = inspectMedia(late).digest
  const early = await stored(here, makePng([8, 80, 180]))
  const examples = [
    { input: { image }, output: 'blue', metadata: {} },
    { input: { early, text: `["${early}","sha256:cut"]` }, output: 'sha256:', metadata: {} },
    { input: 'Nothing', output: 'no file', metadata: {} },
  ]
  await here.client.call('addExamples', { params: { dataset_id }, body: { examples } })
  const version = await frozen(here, dataset_id)
  const filesOf = () => {
    const db = openDatabase(`${here.dataDir}/assay.db`, { readonly: true })
    const no = Number(db.prepare('select no from dataset_versions where id = ?').pluck().get(version.id))
    const needs = [...versionNeeds(db, no)]
    db.close()
    return needs.reduce((sum, need) => sum + need.files, 0)
  }
  expect(filesOf()).toBe(1)
  expect(await stored(here, late)).toBe(image)
  const archive = openZip(await exported(here, dataset_id, version.id))
  expect(archive.names.filter(name => name.startsWith('media/'))).toHaveLength(2)
  expect(filesOf()).toBe(2)
})

test('an archive names what no example has, and says why it cannot be taken', async () => {
  const dataset_id = await newDataset(here)
  const archive = (...entries: readonly (readonly [string, string | Buffer])[]) =>
    makeZip(entries.map(([name, content]) => ({ name, content: Buffer.from(content) })))
  const row = JSON.stringify({ input: 'Hello', output: 'x' })
  const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'input', output: 'output' }) }
  const spare = archive(['rows.jsonl', row], ['media/spare.png', makePng([1, 2, 3])], ['notes.txt', 'hi'])
  expect(await importExamples(here, dataset_id, { name: 'spare.zip', content: spare, fields })).toMatchObject({
    status: 'imported',
    created: 1,
    warnings: ['No example names 2 files by digest: notes.txt, media/spare.png.'],
  })
  const large = Buffer.concat([makeWav(60), Buffer.alloc(20_000_000)])
  const sounding = JSON.stringify({ input: { sound: inspectMedia(large).digest }, output: 'x' })
  // Repeated letters would be taken for a bomb; a tar archive packs nothing.
  const tar = makeTar([
    { name: 'rows.jsonl', content: Buffer.from(`${row}\n${sounding}`) },
    { name: 'large.wav', content: large },
  ])
  const tooLarge = await importExamples(here, dataset_id, { name: 'large.tar', content: tar, fields })
  expect(tooLarge).toMatchObject({ status: 'failed', created: 0, errors: [{ line: 2 }] })
  expect(tooLarge.errors[0]?.message).toContain('at most 20 MB are taken')
  const two = archive(['a.jsonl', row], ['b.jsonl', row])
  const refused = await importExamples(here, dataset_id, { name: 'two.zip', content: two, fields })
  expect(refused).toMatchObject({ status: 'failed', created: 0 })
  expect(refused.errors[0]?.message).toContain('Several files could have the rows: a.jsonl, b.jsonl.')
  const damaged = archive(['rows.jsonl', `${row}\n`.repeat(50)])
  // Among the packed bytes of the first file, which follow its header of 30 bytes and its name.
  damaged[60] = (damaged[60] ?? 0) ^ 0xff
  const broken = await importExamples(here, dataset_id, { name: 'damaged.zip', content: damaged, fields })
  expect(broken).toMatchObject({ status: 'failed', error: null })
  expect(broken.errors[0]?.message).toContain('rows.jsonl')
})

test('an import tells which media files are missing or unusual, and leaves no file behind', async () => {
  const dataset_id = await newDataset(here)
  const photo = makeJpeg(8, 8, makeExif({ position: true }))
  const kept = await stored(here, makePng([9, 9, 9]))
  const missing = `sha256:${'2'.repeat(64)}`
  const rows = [inspectMedia(photo).digest, kept, missing].map(image => JSON.stringify({ input: { image }, output: 'x' })).join('\n')
  const tar = makeTar([
    { name: 'd/rows.jsonl', content: Buffer.from(rows) },
    { name: 'd/photo.jpg', content: photo },
  ])
  const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'input', output: 'output' }) }
  const record = await importExamples(here, dataset_id, { name: 'd.tar.gz', content: gzipSync(tar), fields })
  expect(record).toMatchObject({ status: 'imported', created: 3 })
  expect(record.warnings).toEqual([
    expect.stringMatching(/^One file, "d\/photo.jpg": .*EXIF position/) as string,
    expect.stringContaining(`Examples name a media file that neither the import nor the workspace has: ${missing}.`) as string,
  ])
  await expect.poll(() => readdirSync(`${here.dataDir}/dataset-imports`)).toEqual([])
})

test('the cleanup keeps files that examples name, and removes those of a cancelled import', async () => {
  const clock = movingClock()
  const service = await startTestService({}, clock)
  try {
    const [uploaded, imported, cancelled] = [makePng([77, 77, 77]), makePng([78, 78, 78]), makePng([79, 79, 79])]
    const dataset_id = await newDataset(service)
    const image = await stored(service, uploaded)
    await service.client.call('addExamples', {
      params: { dataset_id },
      body: { examples: [{ input: { image }, output: 'grey', metadata: {} }] },
    })
    const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'input', output: 'output' }) }
    const archive = (bytes: Buffer, more: number) => {
      const named = JSON.stringify({ input: { image: inspectMedia(bytes).digest }, output: 'grey' })
      const rows = [named, ...Array.from({ length: more }, (_, i) => JSON.stringify({ input: `Row ${i}`, output: 'x' }))].join('\n')
      const entries = { 'rows.jsonl': Buffer.from(rows), 'a.png': bytes }
      return { name: 'a.zip', content: makeZip(Object.entries(entries).map(([name, content]) => ({ name, content }))), fields }
    }
    expect(await importExamples(service, dataset_id, archive(imported, 0))).toMatchObject({ created: 1 })
    const sent = await sendExamples(service, service.client, dataset_id, archive(cancelled, 8000))
    const { id: import_id, job_id } = (await sent.json()) as { id: string; job_id: string } // checked by the calls below
    const statusOf = async (bytes: Buffer) => (await service.fetch(`/v1/media/${inspectMedia(bytes).digest}`)).status
    await expect.poll(() => statusOf(cancelled), { timeout: 10_000 * patience() }).toBe(200)
    await service.client.call('cancelJob', { params: { job_id } })
    expect(await importEnded(service.client, dataset_id, import_id)).toMatchObject({ status: 'failed', created: 0 })
    clock.advance(8 * 24 * 3600 * 1000)
    await service.restart()
    await expect.poll(() => statusOf(cancelled), { timeout: 10_000 * patience() }).toBe(404)
    expect(await Promise.all([uploaded, imported].map(statusOf))).toEqual([200, 200])
  } finally {
    await service.close()
  }
})
