import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { openZip } from '../../../../src/engine/archives/read-zip.ts'
import { createZip } from '../../../../src/engine/archives/write-zip.ts'
import { openExampleArchive } from '../../../../src/engine/importing/datasets/example-archive.ts'
import { readExamples } from '../../../../src/engine/importing/datasets/read-examples.ts'
import type { FrozenExample } from '../../../../src/contract/datasets/dataset-versions.schemas.ts'
import { inspectMedia } from '../../../../src/engine/media/inspect-media.ts'
import { exportVersion } from '../../../../src/service/datasets/export-version.ts'
import { makeWav } from '../../../support/media.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** A minute of silence, which a zip packs to next to nothing. */
const silence = makeWav(60_000)
const { digest } = inspectMedia(silence)

const example = (i: number): FrozenExample => ({
  example_id: `01934f00-0000-7000-8000-${String(i).padStart(12, '0')}`,
  revision: 1,
  digest: '0'.repeat(64),
  input: { sound: digest, text: 'The same text in every row. '.repeat(1000) },
  output: 'a tone',
  expected: null,
  metadata: { n: i },
  label: null,
  label_state: 'none',
  label_by: null,
  origin: { kind: 'manual', ref: {} },
})
const batches = Array.from({ length: 10 }, (_, batch) => Array.from({ length: 100 }, (_example, i) => example(batch * 100 + i)))
const noMedia = { isStored: () => false }
const rules = { task: 'answer', menu: ['pass', 'fail'], scoreRange: null } as const
const mapping = { input: 'input', output: 'output', metadata: 'metadata' }
const fileAt = (path: string, name = 'a.zip') => ({ name, path, format: 'jsonl', mapping, rules }) as const
const readSilence = () => Promise.resolve({ mediaType: 'audio/wav' as const, bytes: silence })

const asked = {
  name: 'Sounds',
  format: 'zip' as const,
  batches: () => batches,
  needs: () => [{ files: 1_000_000, bytes: 0 }],
  readMedia: readSilence,
  factsOf: (digests: readonly string[]) => new Map(digests.map(one => [one, { ...inspectMedia(silence), digest: one }])),
}
const streamOf = (reply: Awaited<ReturnType<typeof exportVersion>>) => {
  if (reply.kind !== 'stream') throw new Error('An export is a stream.')
  return reply.stream
}
const zipStream = async (readMedia = readSilence) => streamOf(await exportVersion({ ...asked, readMedia }))

test('a version of many megabytes that are alike is written in parts, and read again whole', async () => {
  const path = join(folder.path, 'a.zip')
  await pipeline(await zipStream(), createWriteStream(path))
  const archive = await openExampleArchive(fileAt(path))
  const media = archive.takeMedia(noMedia.isStored)
  const numbers: unknown[] = []
  let files = 0
  for await (const item of readExamples(archive.file)) {
    if (item.kind === 'problem') throw new Error(item.message)
    numbers.push(item.example?.content.metadata['n'])
    files += media.take(JSON.stringify(item.example?.content)).length
  }
  expect(numbers).toEqual(Array.from({ length: 1000 }, (_, i) => i))
  expect([files, media.warnings()]).toEqual([1, []])
  const parts: string[] = []
  for await (const chunk of await zipStream()) parts.push(Buffer.from(chunk as Uint8Array).toString('latin1')) // a stream of bytes
  expect(openZip(Buffer.from(parts.join(''), 'latin1')).names).toEqual([
    'examples-0001.jsonl',
    'examples-0002.jsonl',
    'examples-0003.jsonl',
    'examples-0004.jsonl',
    expect.stringMatching(/^media\//) as string,
    'media.json',
  ])
})

test.each([
  ['files', { files: 1, bytes: 1e9 }, 3],
  ['bytes', { files: 9, bytes: 3 * silence.length }, 2],
])('a version of more %s than an import takes is exported in archives that hold every example once', async (_, bounds, count) => {
  // The last two name the same file, which each archive of an example that names it has.
  const digests = ['1', '2', '3', '3'].map(digit => `sha256:${digit.repeat(64)}`)
  const examples = digests.map((media, i) => ({ ...example(i), input: { media } }))
  const version = { ...asked, batches: () => [examples.slice(0, 3), examples.slice(3)] }
  const detail = [{ loc: ['query', 'part'], msg: `must be from 1 to ${count}`, type: 'several_archives', ctx: { archives: count } }]
  await expect(exportVersion(version, bounds)).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining(`this version makes ${count}. Export them one by one, as the parts 1 to ${count}:`) as string,
    detail,
  })
  const found: string[] = []
  for (let part = 1; part <= count; part++) {
    const reply = await exportVersion({ ...version, part }, bounds)
    expect('fileName' in reply && reply.fileName).toBe(`sounds-part${part}.zip`)
    const path = join(folder.path, `part-${part}.zip`)
    await pipeline(streamOf(reply), createWriteStream(path))
    const archive = openZip(readFileSync(path))
    const rows = Buffer.from(archive.read('examples-0001.jsonl')).toString()
    const named = [...new Set(rows.match(/sha256:\d{64}/g))].map(one => `media/${one.slice(7)}.wav`)
    expect(archive.names.filter(name => name.startsWith('media/'))).toEqual(named)
    expect(named.length).toBeLessThanOrEqual(bounds.files)
    found.push(...rows.trimEnd().split('\n'))
  }
  expect(found).toEqual(examples.map(one => JSON.stringify(one)))
  await expect(exportVersion({ ...version, part: count + 1 }, bounds)).rejects.toMatchObject({
    message: expect.stringContaining(`must be at most ${count}`) as string,
    detail,
  })
})

test('a version of which all media and rows fit into one archive is read once', async () => {
  let reads = 0
  const needs = [
    { files: 2, bytes: 5000 },
    { files: 0, bytes: 4000 },
  ]
  const version = {
    ...asked,
    needs: () => needs,
    batches: function* () {
      reads++
      yield* batches.slice(0, 1)
    },
  }
  const ended = async (bounds: (typeof needs)[number]) => {
    reads = 0
    streamOf(await exportVersion({ ...version, part: 1 }, bounds))
      .on('error', () => undefined)
      .destroy()
    return reads
  }
  expect(await ended({ files: 2, bytes: 10_024 })).toBe(1)
  expect(await ended({ files: 2, bytes: 10_023 })).toBe(2)
  expect(await ended({ files: 1, bytes: 1e9 })).toBe(2)
})

test('one archive is part 1 of 1, and no other format has parts', async () => {
  expect(await exportVersion({ ...asked, part: 1 })).toMatchObject({ fileName: 'sounds-part1.zip' })
  await expect(exportVersion({ ...asked, part: 2 })).rejects.toThrow('must be at most 1')
  await expect(exportVersion({ ...asked, format: 'jsonl', part: 1 })).rejects.toThrow('is for the format "zip" alone')
})

test('a slow reader leaves no listeners behind, and one that goes ends the export', async () => {
  const stream = await zipStream()
  const listeners = new Set<number>()
  for await (const _ of stream) {
    listeners.add(stream.listenerCount('drain') + stream.listenerCount('close'))
    await nextTurn()
  }
  expect(Math.max(...listeners) - Math.min(...listeners)).toBeLessThanOrEqual(1)
  let reads = 0
  const left = await zipStream(() => {
    reads++
    return readSilence()
  })
  left.on('error', () => undefined)
  left.destroy()
  await expect.poll(() => left.closed).toBe(true)
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  expect(reads).toBe(0)
})

test('a file that no message can hold is a fault of the row that names it, and others of an archive say what is unusual', async () => {
  const path = join(folder.path, 'large.zip')
  const large = Buffer.concat([makeWav(60), Buffer.alloc(20_000_000, 'noise')])
  const found = inspectMedia(large)
  const cut = makeWav(60, 16_000, 999_999)
  const entries = { 'rows.json': '[]', 'media.json': '[]', 'deep/media.json': '{}', 'large.wav': large, 'cut.wav': cut }
  const chunks: Uint8Array[] = []
  const zip = createZip(chunk => void chunks.push(chunk))
  for (const [name, content] of Object.entries(entries)) await zip.add(name, content)
  await zip.end()
  writeFileSync(path, Buffer.concat(chunks))
  const { file, takeMedia } = await openExampleArchive({ ...fileAt(path), format: 'json' })
  expect(file.name).toBe('rows.json')
  const media = takeMedia(noMedia.isStored)
  expect(() => media.take(`{"a":"${found.digest}"}`)).toThrow(
    `The file "large.wav" has ${large.length.toLocaleString('en')} bytes; at most 20 MB are taken.`,
  )
  expect(media.take(`{"a":"${inspectMedia(cut).digest}"}`)).toHaveLength(1)
  media.take(`{"a":"sha256:${'1'.repeat(64)}"}`)
  expect(media.warnings()).toEqual([
    expect.stringContaining('One file, "cut.wav": ') as string,
    'No example names 2 files by digest: deep/media.json, large.wav.',
    `Examples name a media file that neither the import nor the workspace has: sha256:${'1'.repeat(64)}. Upload them, or send an archive with them.`,
  ])
})
