import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { MediaFile } from '../../src/contract/media/media.schemas.ts'
import { makeJpeg, makePdf, makePng, makeWav } from '../support/media.ts'
import { makeZip } from '../support/make-zip.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** Made first: it takes a second, in which connections of a service that runs would be lost. */
const bomb = Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(300_000_000))])
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'

async function store(bytes: Uint8Array<ArrayBuffer>): Promise<MediaFile> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'picture.png')
  const reply = await service.fetch('/v1/media', { method: 'POST', body: form })
  const body: unknown = await reply.json()
  if (reply.status !== 201) throw new Error(ErrorBody.parse(body).error.message)
  return MediaFile.parse(body)
}

const read = (digest: string, path = '') => service.fetch(`/v1/media/${digest}${path}`, { headers: { accept: 'text/html' } })

const segment = (data: Buffer) => Buffer.concat([Buffer.from([0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 255]), data])

/** EXIF whose directory states 65,535 entries, each of which refers to the directory itself. */
const nested = () => {
  const tiff = Buffer.alloc(60_000, Buffer.from([0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]))
  tiff.write('II*\0\x08\0\0\0\xff\xff', 'latin1')
  return Buffer.concat([Buffer.from('Exif\0\0'), tiff])
}

describe('an uploaded file', () => {
  test.each([
    ['300 blocks of EXIF that refer to themselves', () => Buffer.concat(Array.from({ length: 300 }, () => segment(nested())))],
    ['four million empty parts', () => Buffer.alloc(16_000_000, Buffer.from([0xff, 0xe1, 0, 2]))],
  ])('with %s is read by its header, while others are answered', async (_, parts) => {
    const jpeg = makeJpeg(9, 7)
    const bytes = Buffer.concat([jpeg.subarray(0, 2), parts(), jpeg.subarray(2)])
    let answered = 0
    const stored = store(bytes)
    for (let isDone = false; !isDone; isDone = await Promise.race([stored.then(() => true), service.fetch('/v1/meta').then(() => false)]))
      answered++
    expect(await stored).toMatchObject({ width: 9, height: 7 })
    expect(answered).toBeGreaterThan(0)
  })

  test('whose color profile and texts unpack to 300 MB is stored, and shown small without unpacking them', async () => {
    const bytes = makePng([200, 1, 2], {
      width: 900,
      height: 900,
      extra: [
        ['iCCP', bomb],
        ['zTXt', bomb],
      ],
    })
    expect(bytes.length).toBeLessThan(1_000_000)
    const { digest } = await store(bytes)
    const before = process.memoryUsage().rss
    const small = await read(digest, '/thumbnail')
    expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ width: 512, height: 512 })
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  test('of 50 megapixels in a few kilobytes is shown small; one more row is refused', async () => {
    const gray = (height: number) =>
      sharp({ create: { width: 10_000, height, channels: 3, background: '#777' } })
        .toColorspace('b-w')
        .png({ compressionLevel: 9 })
        .toBuffer()
    const largest = await gray(5000)
    expect(largest.length).toBeLessThan(100_000)
    const { digest } = await store(new Uint8Array(largest))
    const small = await read(digest, '/thumbnail?side=128')
    expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ width: 128, height: 64 })
    await expect(store(new Uint8Array(await gray(5001)))).rejects.toThrow('10,000 × 5,001 pixels; at most 50 megapixels')
  })

  test('whose WAV header lies has the length of its bytes, and says so', async () => {
    expect(await store(makeWav(200, 16_000, 4_000_000_000))).toMatchObject({
      duration_ms: 200,
      cautions: [expect.stringContaining('4,000,000,000 bytes of sound; the file holds 6,400')],
    })
  })

  test('that is a PDF with JavaScript says so, and is sent as a download that nothing runs in', async () => {
    const { digest, cautions } = await store(makePdf(1, '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> '))
    expect(cautions).toEqual(['It holds JavaScript, which is never executed here.'])
    const { headers } = await read(digest)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test.each([
    ['a GIF that is a script', 'image/gif', Buffer.from('GIF89a\x2f\x2a\x08\0\0\0\0*/=1;alert(1)//;', 'latin1')],
    ['a PNG that is a web page', 'image/png', Buffer.concat([makePng([1, 2, 4]), Buffer.from('<script>alert(1)</script>')])],
    [
      'a PNG that is an archive',
      'image/png',
      Buffer.concat([makePng([1, 2, 5]), makeZip([{ name: 'a.html', content: Buffer.from(svg) }])]),
    ],
    ['a JPEG that is a PDF', 'image/jpeg', Buffer.concat([makeJpeg(8, 8), makePdf(1)])],
  ])('that is two at once, %s, is sent as the one that its first bytes say', async (_, type, bytes) => {
    const { digest, media_type } = await store(bytes)
    const { headers } = await read(digest)
    expect({ media_type, type: headers.get('content-type'), sniffed: headers.get('x-content-type-options') }).toEqual({
      media_type: type,
      type,
      sniffed: 'nosniff',
    })
  })

  test.each([
    ['a drawing with a script', Buffer.from(svg), 'an SVG drawing, which can hold scripts'],
    ['a drawing behind a mark and spaces', Buffer.from(`\ufeff \n<?xml version="1.0"?>${svg}`), 'an SVG drawing'],
    ['a web page before a picture', Buffer.concat([Buffer.from('<!doctype html>'), makePng([0, 0, 0])]), 'a web page'],
    ['a PDF behind other bytes', Buffer.concat([Buffer.from('x'.repeat(100)), makePdf(1)]), 'of no type that is known'],
  ])('that is %s is refused for what it is', async (_, bytes, message) => {
    await expect(store(bytes)).rejects.toThrow(message)
  })
})

const row = (image: unknown) => JSON.stringify({ question: 'What?', answer: 'x', image })
const imported = (name: string, content: string | Uint8Array<ArrayBuffer>, mapping: object = {}) =>
  importToEnd(service, {
    fields: { format: name.endsWith('.csv') ? 'csv' : 'jsonl', mapping: JSON.stringify(mapping) },
    files: [{ name, content }],
  })

describe('an import', () => {
  test.each([
    '../assay.db',
    '..\\assay.db',
    '/etc/passwd',
    'file:///etc/passwd',
    'images/../../../etc/passwd',
    'C:\\windows\\win.ini',
    '/proc/self/environ',
    '%2e%2e/assay.db',
    'a\0.png',
  ])('opens no file at %s', async path => {
    const { status, errors } = await imported('d.jsonl', row(path), { media: { image: 'image' } })
    expect({ status, errors }).toEqual({
      status: 'failed',
      errors: [{ file: 'd.jsonl', line: 1, message: expect.stringContaining('is not among the files of this import') }],
    })
  })

  test.each(['../x.png', '/x.png', '..\\x.png', 'a/../../x.png', 'C:/x.png'])('unpacks no archive with a file called %s', async name => {
    const zip = makeZip([
      { name: 'd.jsonl', content: Buffer.from(row('x.png')) },
      { name, content: makePng([1, 2, 3]) },
    ])
    expect((await imported('d.zip', new Uint8Array(zip))).errors).toEqual([
      { file: 'd.zip', line: null, message: expect.stringContaining('a file with a name that is refused') },
    ])
    // Beside the data folder are those of other tests, which come and go.
    const found = [...readdirSync(join(service.dataDir, '..')), ...readdirSync(service.dataDir, { recursive: true }).map(String)]
    expect(found.filter(path => path.endsWith('x.png'))).toEqual([])
  })

  test.each([
    ['that is empty', 'data:image/png;base64,', 'holds neither files nor their names'],
    ['of no base64', 'data:image/png;base64,%%%', 'holds neither files nor their names'],
    ['of a drawing', `data:image/svg+xml,${encodeURIComponent(svg)}`, 'an SVG drawing'],
    ['of a drawing that is called a PNG', `data:image/png;base64,${Buffer.from(svg).toString('base64')}`, 'an SVG drawing'],
    ['of a video', 'data:video/mp4;base64,AAAAGGZ0eXBtcDQyAAAAAG1wNDJpc29t', 'a video'],
  ])('leaves out no picture of a data URI %s', async (_, uri, message) => {
    const { status, errors } = await imported(
      'd.jsonl',
      [uri, `data:image/png;base64,${makePng([5, 5, 5]).toString('base64')}`].map(row).join('\n'),
    )
    expect({ status, errors }).toEqual({
      status: 'failed',
      errors: [{ file: 'd.jsonl', line: 1, message: expect.stringContaining(message) }],
    })
  })

  test('refuses a data URI of 100 MB by its line, as do datasets and traces by their size', async () => {
    const uri = `data:image/png;base64,${Buffer.alloc(75_000_000, 7).toString('base64')}`
    for (const [name, content, line] of [
      ['d.jsonl', row(uri), 1],
      ['d.csv', `question,answer,image\nWhat?,x,${uri}`, 2],
    ] as const)
      expect((await imported(name, content)).errors).toEqual([{ file: name, line, message: expect.stringContaining('longer than') }])
    const { id } = await service.client.call('createDataset', { body: { name: 'Large', task: 'answer' } })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ examples: [{ input: uri }] })
    for (const path of [`/v1/datasets/${id}/examples`, '/v1/traces']) {
      const reply = await service.fetch(path, { method: 'POST', body, headers })
      expect(reply.status).toBe(413)
    }
  })

  test('tells bytes of another type than is stated, and refuses those of another kind', async () => {
    const { warnings } = await imported('d.jsonl', row(`data:audio/wav;base64,${makePng([3, 1, 4]).toString('base64')}`))
    expect(warnings.join('\n')).toContain('It is stated to be audio/wav, but its bytes are image/png.')
    const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${makeWav(20).toString('base64')}` } }
    const { errors } = await imported('d.jsonl', JSON.stringify({ messages: [{ role: 'user', content: [part] }], answer: 'x' }))
    expect(errors[0]?.message).toBe('A part of "messages" is stated to be an image, but its bytes are audio/wav.')
  })
})

test('drawings and pages within traces are stored as nothing and stay text', async () => {
  const before = readdirSync(join(service.dataDir, 'media')).length
  const content = [`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, `data:text/html,${svg}`].map(url => ({
    type: 'image_url',
    image_url: { url },
  }))
  const span = {
    traceId: '0123456789abcdef0123456789abcdef',
    spanId: '0123456789abcdef',
    name: 'drawn',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [{ key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify([{ role: 'user', content }]) } }],
  }
  const reply = await service.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  })
  expect(reply.status).toBe(200)
  const { items } = await service.client.call('listTraces', { query: { q: 'drawn', limit: 1 } })
  const { spans } = await service.client.call('getTrace', { params: { trace_id: items[0]?.id ?? '' }, query: {} })
  expect(spans[0]?.input_messages).toEqual([{ role: 'user', content: '[image_url]\n[image_url]' }])
  expect(readdirSync(join(service.dataDir, 'media')).length).toBe(before)
})
