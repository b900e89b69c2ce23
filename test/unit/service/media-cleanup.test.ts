import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MediaDigest } from '../../../src/contract/messages/messages.schemas.ts'
import { inspectMedia } from '../../../src/engine/media/inspect-media.ts'
import { insertDataset } from '../../../src/service/datasets/datasets.store.ts'
import { createMedia, type Media } from '../../../src/service/media/media.service.ts'
import { createMediaFiles } from '../../../src/storage/media-files.ts'
import makePicture, { type PictureTask } from '../../../src/workers/pictures.worker.ts'
import { type JobsBench, jobsOn, workspaces } from '../../support/jobs.ts'
import { makePng } from '../../support/media.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const [workspace, other] = workspaces
const day = 24 * 3600 * 1000
const most = 256
let bench: JobsBench
let folder: ReturnType<typeof temporaryFolder>
let media: Media
/** A request that waits for its answer. */
const asked = new AbortController().signal

/** Pictures that a thread was asked for. */
const made: PictureTask[] = []

beforeEach(() => {
  bench = jobsOn()
  folder = temporaryFolder()
  const kernel = { db: bench.db, config: { dataDir: folder.path }, clock: bench.clock, log: pino({ level: 'silent' }) }
  made.length = 0
  const noted: typeof makePicture = task => {
    made.push(task)
    return makePicture(task)
  }
  media = createMedia(kernel, { jobs: bench.jobs, workers: { makePicture: noted, scoringThreads: 1 }, oldestBackupAt: () => null })
  bench.jobs.start()
})
afterEach(async () => {
  media.close()
  await bench.jobs.close()
  bench.db.close()
  folder.remove()
})

function datasetOf(workspaceId: string): number {
  const [{ no } = { no: 0 }] = bench.db.all(bench.db.sql.selectFrom('datasets').select('no').where('workspace_id', '=', workspaceId))
  if (no > 0) return no
  insertDataset(bench.db, workspaceId, randomUUID(), { name: 'Shown', description: '', task: 'answer' }, bench.clock.now().toISOString())
  return datasetOf(workspaceId)
}

/** Stores a picture for a day, or for as long as a dataset is there. */
async function store(workspaceId: string, bytes: Buffer, isKept: boolean): Promise<MediaDigest> {
  const file = inspectMedia(bytes)
  const datasetNo = datasetOf(workspaceId)
  await createMediaFiles(folder.path).write([{ digest: file.digest.slice(7), bytes }])
  bench.db.transaction(() =>
    isKept ? media.keep(workspaceId, { datasetNo }, [file]) : media.record([file], { workspaceId, versionNo: null }),
  )
  return MediaDigest.parse(file.digest)
}

async function resized(workspaceId: string, digest: MediaDigest): Promise<string> {
  return (await media.sourceOf(workspaceId).read(digest, most)).digest ?? ''
}

const pathOf = (digest: string) => join(folder.path, 'media', digest.slice(7, 9), digest.slice(7))

async function clean(): Promise<void> {
  bench.clock.advance(2 * day)
  media.start()
  await expect.poll(() => bench.jobs.latest('media_cleanup')?.state).toBe('succeeded')
}

test('a resized picture goes with its original, and stays with one that is kept', async () => {
  const passing = await store(workspace, makePng([1, 2, 3], { width: 30, height: 16 }), false)
  const kept = await store(workspace, makePng([4, 5, 6], { width: 30, height: 16 }), true)
  const [gone, stays] = [await resized(workspace, passing), await resized(workspace, kept)]
  expect([gone, stays].map(digest => media.find(workspace, digest))).toMatchObject([
    { width: 21, height: 11 },
    { width: 21, height: 11 },
  ])
  await clean()
  expect([passing, gone].map(digest => [media.find(workspace, digest), existsSync(pathOf(digest))])).toEqual([
    [null, false],
    [null, false],
  ])
  expect(media.find(workspace, stays)).toMatchObject({ width: 21, height: 11 })
  expect(existsSync(pathOf(stays))).toBe(true)
  // The same original is resized again, to the same bytes.
  await store(workspace, makePng([1, 2, 3], { width: 30, height: 16 }), true)
  expect(await resized(workspace, passing)).toBe(gone)
  expect(inspectMedia(readFileSync(pathOf(gone))).digest).toBe(gone)
})

test('thumbnails go with their images', async () => {
  const passing = await store(workspace, makePng([1, 2, 3], { width: 300, height: 160 }), false)
  const kept = await store(workspace, makePng([4, 5, 6], { width: 300, height: 160 }), true)
  for (const digest of [passing, kept]) for (const side of [128, 512]) await media.thumbnail(workspace, digest, side, asked)
  const cached = () => readdirSync(join(folder.path, 'media', 'thumbnails')).toSorted()
  expect(cached()).toHaveLength(4)
  await clean()
  expect(cached()).toEqual([`${kept.slice(7)}-128.webp`, `${kept.slice(7)}-512.webp`])
})

test('a resized picture that another workspace stores itself stays there alone', async () => {
  const original = await store(workspace, makePng([7, 8, 9], { width: 30, height: 16 }), false)
  const small = await resized(workspace, original)
  expect(media.find(other, small)).toBeNull()
  await store(other, readFileSync(pathOf(small)), true)
  await clean()
  expect([media.find(workspace, original), media.find(workspace, small)]).toEqual([null, null])
  expect(media.find(other, small)).toMatchObject({ width: 21, height: 11 })
  expect(existsSync(pathOf(small))).toBe(true)
})

test('both thumbnails of a large picture cost one decoding of it, and each is made once', async () => {
  const large = await store(workspace, makePng([1, 2, 3], { width: 2400, height: 1800 }), true)
  const bytesOf = async (side: number) => {
    const reply = await media.thumbnail(workspace, large, side, asked)
    return reply.kind === 'whole' ? reply.bytes : 0
  }
  const [small, medium] = [await bytesOf(128), await bytesOf(512)]
  expect(small).toBeLessThan(medium)
  expect([await bytesOf(128), await bytesOf(512)]).toEqual([small, medium])
  const decoded = made.map(task => 'path' in task && task.path === pathOf(large))
  expect(decoded).toEqual([true, false])
  await store(workspace, makePng([4, 5, 6], { width: 30, height: 16 }), true).then(digest => media.thumbnail(workspace, digest, 128, asked))
  expect(made).toHaveLength(3)
})

test('pages that leave cost no picture, and a run that resizes one waits for no more than one of theirs', async () => {
  const pictures = await Promise.all(
    Array.from({ length: 20 }, (_, i) => store(workspace, makePng([i, 2, 3], { width: 40, height: 30 }), true)),
  )
  const pages = new AbortController()
  const left = pictures.map(digest => media.thumbnail(workspace, digest, 128, pages.signal))
  const [first = ''] = pictures
  const sent = resized(workspace, MediaDigest.parse(first))
  pages.abort()
  const replies = await Promise.all(left)
  expect(await sent).not.toBe(first)
  expect(made.map(({ kind }) => kind).toSorted()).toEqual(['resize', 'thumbnail'])
  // Who has gone is told nothing that would be wrong: it is the image itself.
  expect(replies.map(({ contentType }) => contentType)).toEqual(['image/webp', ...Array.from({ length: 19 }, () => 'image/png')])
  expect((await media.thumbnail(workspace, MediaDigest.parse(pictures[5]), 128, asked)).contentType).toBe('image/webp')
})

test('a source looks up once what a file is, and says nothing of a file that the workspace does not have', async () => {
  const digest = await store(workspace, makePng([1, 2, 3], { width: 30, height: 16 }), true)
  const [source, foreign] = [workspace, other].map(id => media.sourceOf(id))
  const sizes = (pixels?: number) => [...(source?.facts?.([digest], pixels) ?? [])].map(([, { width, height }]) => [width, height])
  expect(sizes()).toEqual([[30, 16]])
  bench.db.prepare('update media set width = 31').run()
  expect(sizes()).toEqual([[30, 16]])
  expect(sizes(most)).toEqual([[21, 11]])
  expect(foreign?.facts?.([digest]).size).toBe(0)
})
