import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { MediaFile } from '../../src/contract/media/media.schemas.ts'
import { unusedBytes } from '../../src/service/media/media.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { makeBomb, makeJpeg, makePdf, makePng, makeWav } from '../support/media.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const clock = movingClock()
const day = 24 * 3600 * 1000
let service: TestService

beforeAll(async () => {
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

function send(bytes: Uint8Array<ArrayBuffer>, name = 'picture.png', headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  return service.fetch('/v1/media', { method: 'POST', body: form, headers })
}

async function store(bytes: Uint8Array<ArrayBuffer>): Promise<MediaFile> {
  const reply = await send(bytes)
  expect(reply.status).toBe(201)
  return MediaFile.parse(await reply.json())
}

const pathIn = (digest: string) => join(service.dataDir, 'media', digest.slice(7, 9), digest.slice(7))
const read = (digest: string, headers: Record<string, string> = {}) => service.fetch(`/v1/media/${digest}`, { headers })

async function refusal(reply: Promise<Response>): Promise<{ readonly status: number; readonly message: string }> {
  const answer = await reply
  return { status: answer.status, message: ErrorBody.parse(await answer.json()).error.message }
}

describe('POST /v1/media', () => {
  test('stores the same bytes once, under their digest', async () => {
    const bytes = makePng([255, 0, 0], { width: 40, height: 30 })
    const hex = createHash('sha256').update(bytes).digest('hex')
    const [first, second] = [await store(bytes), await store(bytes)]
    expect(first).toEqual({
      digest: `sha256:${hex}`,
      media_type: 'image/png',
      bytes: bytes.length,
      width: 40,
      height: 30,
      duration_ms: null,
      pages: null,
      cautions: [],
    })
    expect(second).toEqual(first)
    expect(existsSync(pathIn(first.digest))).toBe(true)
    expect(readdirSync(join(service.dataDir, 'media', 'writing'))).toEqual([])
  })

  test('stores the same bytes once where many send them at the same time, and nothing of uploads that stop midway', async () => {
    const bytes = makePng([12, 200, 7], { width: 400, height: 300 })
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    const cut = () =>
      new Promise<void>((resolve, reject) => {
        const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
        const { hostname, port } = new URL(service.baseUrl)
        const type = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000000' }
        const sent = request({ hostname, port, path: '/v1/media', method: 'POST', headers: { ...service.client.headers, ...type } })
        sent.on('error', () => resolve())
        sent.on('response', () => reject(new Error('An upload that stopped was answered.')))
        // The picture is whole, but nothing says that it has ended.
        sent.write(Buffer.concat([Buffer.from(head), left]), () => sent.destroy())
      })
    const left = makePng([200, 7, 12], { width: 400, height: 300 })
    const [replies] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => store(bytes))),
      Promise.all(Array.from({ length: 10 }, () => cut())),
    ])
    // Uploads take turns, so that those before this one are over.
    await store(bytes)
    expect(new Set(replies.map(file => file.digest))).toEqual(new Set([digest]))
    expect(readdirSync(dirname(pathIn(digest)))).toEqual([digest.slice(7)])
    expect(existsSync(pathIn(`sha256:${createHash('sha256').update(left).digest('hex')}`))).toBe(false)
    expect(readdirSync(join(service.dataDir, 'media', 'writing'))).toEqual([])
    const reads = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const reply = await read(digest)
        return `${reply.status} ${createHash('sha256')
          .update(Buffer.from(await reply.arrayBuffer()))
          .digest('hex')}`
      }),
    )
    expect(new Set(reads)).toEqual(new Set([`200 ${digest.slice(7)}`]))
  })

  test('holds so many bytes of a workspace that nothing uses, and says when there is room again', async () => {
    const kept = await store(makePng([1, 2, 3], { width: 8, height: 8 }))
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    const size = db.prepare('update media set bytes = ? where digest = ?')
    const hex = kept.digest.slice('sha256:'.length)
    size.run(4_000_000_000 - 1, hex)
    expect(await refusal(send(makePng([3, 2, 1], { width: 8, height: 8 })))).toEqual({
      status: 409,
      message: expect.stringMatching(/^This workspace holds 4\.0 GB of uploads that no benchmark uses.*removed 7 days after its upload\.$/),
    })
    // The same bytes take no more room, and what is used does not count.
    expect(await store(makePng([1, 2, 3], { width: 8, height: 8 }))).toMatchObject({ digest: kept.digest })
    // Of two at once that fit alone, one is stored.
    const [one, two] = [makePng([3, 2, 1], { width: 8, height: 8 }), makePng([3, 2, 2], { width: 8, height: 8 })]
    const others = unusedBytes(db, service.workspaceId, kept.digest)
    size.run(4_000_000_000 - others - Math.max(one.length, two.length), hex)
    const statuses = (await Promise.all([send(one), send(two)])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
    size.run(kept.bytes, hex)
    db.close()
    await store(makePng([3, 2, 1], { width: 8, height: 8 }))
  })

  test('takes the type from the bytes, whatever the file is called', async () => {
    expect(await (await send(makeWav(100), 'picture.png')).json()).toMatchObject({ media_type: 'audio/wav', duration_ms: 100 })
  })

  test('refuses drawings, web pages, bombs, damaged pictures, two files and none, each by what it is', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect(await refusal(send(svg, 'picture.png'))).toEqual({ status: 422, message: expect.stringContaining('SVG drawing') })
    expect(await refusal(send(Buffer.from('<!doctype html>')))).toEqual({ status: 422, message: expect.stringContaining('a web page') })
    expect(await refusal(send(makeBomb(60_000, 60_000)))).toEqual({ status: 422, message: expect.stringContaining('50 megapixels') })
    expect(await refusal(send(makePng([0, 0, 0]).subarray(0, 20)))).toEqual({ status: 422, message: expect.stringContaining('damaged') })
    const two = new FormData()
    for (const name of ['a.png', 'b.png']) two.append('file', new Blob([makePng([0, 0, 0])]), name)
    expect(await refusal(service.fetch('/v1/media', { method: 'POST', body: two }))).toMatchObject({ status: 422 })
    const none = new FormData()
    none.append('note', 'no file')
    expect(await refusal(service.fetch('/v1/media', { method: 'POST', body: none }))).toMatchObject({ status: 422 })
  })

  test('refuses more than 20 MB', async () => {
    const png = makePng([0, 0, 0])
    const larger = send(Buffer.concat([png, Buffer.alloc(20_000_000 - png.length + 1)]))
    expect(await refusal(larger)).toEqual({ status: 413, message: expect.stringContaining('more than 20 MB') })
    expect((await send(Buffer.concat([png, Buffer.alloc(20_000_000 - png.length)]))).status).toBe(201)
  })

  test('and reading need their scopes', async () => {
    const { digest } = await store(makePng([1, 1, 1]))
    const { key } = await service.client.call('createApiKey', { body: { name: 'reads runs', scopes: ['runs:read'] } })
    const headers = { authorization: `Bearer ${key}` }
    expect((await send(makePng([1, 1, 1]), 'a.png', headers)).status).toBe(403)
    expect((await read(digest, headers)).status).toBe(403)
  })
})

describe('GET /v1/media/{digest}', () => {
  test('sends the bytes sandboxed, unsniffed and, for documents, as a download', async () => {
    const bytes = makeJpeg(8, 8)
    const { digest } = await store(bytes)
    const reply = await read(digest)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-disposition': `inline; filename="${digest.slice(7, 23)}.jpg"`,
    })
    const pdf = await read((await store(makePdf(2))).digest)
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f]{16}\.pdf"$/)
    expect(pdf.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('sends a part where one is asked for', async () => {
    const bytes = makePng([9, 9, 9])
    const { digest } = await store(bytes)
    const reply = await read(digest, { range: 'bytes=1-3' })
    expect({ status: reply.status, text: await reply.text() }).toEqual({ status: 206, text: 'PNG' })
  })

  test('sends a file that is a picture and a web page as the picture alone', async () => {
    const { digest } = await store(Buffer.concat([makePng([2, 2, 2]), Buffer.from('<script>alert(1)</script>')]))
    expect((await read(digest, { accept: 'text/html' })).headers.get('content-type')).toBe('image/png')
  })

  test('opens no path: only digests are known', async () => {
    for (const path of ['..%2f..%2fassay.db', 'writing', '%2e%2e', 'sha256:..%2f..%2fassay.db', 'a'.repeat(64)])
      expect((await read(path)).status).toBe(404)
  })

  test('answers a digest of another workspace like one that does not exist', async () => {
    const { digest } = await store(makePng([3, 3, 3]))
    const { id } = await service.client.call('createWorkspace', { body: { name: 'Other' } })
    const absent = `sha256:${'0'.repeat(64)}`
    const [theirs, none] = [await refusal(read(digest, { 'x-workspace-id': id })), await refusal(read(absent, { 'x-workspace-id': id }))]
    expect({ ...theirs, message: theirs.message.replace(digest, absent) }).toEqual(none)
    expect(none.status).toBe(404)
    expect((await read(digest)).status).toBe(200)
  })
})

describe('the cleanup', () => {
  const cleaned = async () => {
    await service.restart()
    await expect
      .poll(async () => (await service.client.call('listJobs', { query: { kind: 'media_cleanup' } })).items[0]?.state)
      .toBe('succeeded')
  }

  test('removes uploads that nothing used for a week, with their files, and pieces of a stop', async () => {
    const { digest } = await store(makePng([4, 4, 4]))
    writeFileSync(join(service.dataDir, 'media', 'writing', 'piece'), 'cut off')
    clock.advance(6 * day)
    const kept = await store(makePng([5, 5, 5]))
    clock.advance(2 * day)
    await cleaned()
    expect((await read(digest)).status).toBe(404)
    expect(existsSync(pathIn(digest))).toBe(false)
    expect((await read(kept.digest)).status).toBe(200)
    expect(existsSync(join(service.dataDir, 'media', 'writing'))).toBe(false)
    expect(await store(makePng([4, 4, 4]))).toMatchObject({ digest })
    expect((await read(digest)).status).toBe(200)
  })

  test('keeps files that a backup refers to, which a restore brings back', async () => {
    const { digest } = await store(makePng([6, 6, 6]))
    await service.client.call('startBackup', {})
    await expect.poll(async () => (await service.client.call('listBackups', {})).items).toHaveLength(1)
    const [backup] = (await service.client.call('listBackups', {})).items
    clock.advance(9 * day)
    await cleaned()
    expect((await read(digest)).status).toBe(404)
    expect(existsSync(join(service.dataDir, 'backups', 'media', digest.slice(7, 9), digest.slice(7)))).toBe(true)
    const { restoreBackup } = await import('../../src/service/backups/index.ts')
    // Nobody looks for unused uploads then.
    clock.advance(-8.5 * day)
    await service.restart(() => restoreBackup(service.dataDir, backup?.name ?? '', false, clock.now()))
    expect((await read(digest)).status).toBe(200)
  })
})

test('a backup restored on another machine shows its images from the folder of backups alone, and says so where they are missing', async () => {
  const { digest } = await store(makePng([7, 7, 7]))
  const backups = async () => (await service.client.call('listBackups', {})).items.length
  const before = await backups()
  await service.client.call('startBackup', {})
  await expect.poll(backups).toBe(before + 1)
  const { restoreBackup } = await import('../../src/service/backups/index.ts')
  const restored = async (change: (backups: string) => void = () => undefined) => {
    const folder = temporaryFolder()
    cpSync(join(service.dataDir, 'backups'), join(folder.path, 'backups'), { recursive: true })
    change(join(folder.path, 'backups'))
    restoreBackup(folder.path, 'newest', true, clock.now())
    const other = await startTestService({ dataDir: folder.path }, clock)
    const headers = { 'x-workspace-id': service.workspaceId }
    const found = await other.fetch(`/v1/media/${digest}`, { headers })
    const answer = { status: found.status, text: await found.text() }
    await other.close()
    folder.remove()
    return answer
  }
  expect((await restored()).status).toBe(200)
  const without = await restored(backups => rmSync(join(backups, 'media'), { recursive: true }))
  expect(without.status).toBe(404)
  expect(without.text).toContain('is missing. Copy the folders \\"backups\\" and \\"media\\" from where the data came')
})

describe('GET /v1/media/{digest}/thumbnail', () => {
  const small = async (digest: string, query = '', headers: Record<string, string> = {}) => {
    const reply = await service.fetch(`/v1/media/${digest}/thumbnail${query}`, { headers })
    return {
      status: reply.status,
      type: reply.headers.get('content-type'),
      bytes: Buffer.from(await reply.arrayBuffer()),
      headers: reply.headers,
    }
  }
  const cache = () => readdirSync(join(service.dataDir, 'media', 'thumbnails'))

  test('sends a small picture, sandboxed, made once and again where its file is gone', async () => {
    const { digest } = await store(makePng([200, 20, 7], { width: 3000, height: 1500 }))
    const first = await small(digest, '?side=128')
    expect(first).toMatchObject({ status: 200, type: 'image/webp' })
    expect(first.headers.get('content-security-policy')).toContain('sandbox')
    expect(await sharp(first.bytes).metadata()).toMatchObject({ width: 128, height: 64 })
    expect(await sharp((await small(digest)).bytes).metadata()).toMatchObject({ width: 512, height: 256 })
    expect(cache().filter(name => name.startsWith(digest.slice(7)))).toHaveLength(2)
    for (const name of cache()) rmSync(join(service.dataDir, 'media', 'thumbnails', name))
    expect((await small(digest, '?side=128')).bytes.equals(first.bytes)).toBe(true)
    // The small one of a large picture is made of the larger one.
    expect(cache().toSorted()).toEqual([128, 512].map(side => `${digest.slice(7)}-${side}.webp`))
    await service.restart()
    expect((await small(digest, '?side=128')).bytes.equals(first.bytes)).toBe(true)
    const { id } = await service.client.call('createWorkspace', { body: { name: 'Third' } })
    expect((await small(digest, '', { 'x-workspace-id': id })).status).toBe(404)
  })

  test('sends the file itself where no picture can be made of it', async () => {
    for (const bytes of [makeWav(100), makePdf(1), makeJpeg(64, 64)]) {
      const { digest } = await store(bytes)
      expect((await small(digest)).bytes.equals(bytes)).toBe(true)
    }
  })
})
