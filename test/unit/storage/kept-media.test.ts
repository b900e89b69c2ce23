import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepMedia, unkeptFiles } from '../../../src/storage/kept-media.ts'
import { createMediaFiles, type MediaFiles } from '../../../src/storage/media-files.ts'
import { temporaryFolder } from '../../support/service.ts'

const bytes = Buffer.from('a picture')
const digest = createHash('sha256').update(bytes).digest('hex')
const day = 24 * 3600 * 1000

const keepAll = (path: string) =>
  Array.from(
    keepMedia(path, error => {
      throw error
    }),
  )
const purge = (files: MediaFiles, beforeMs: number) => Array.from(files.purgeKept(beforeMs))

async function folderWithOne() {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const files = createMediaFiles(path)
  await files.write([{ digest, bytes }])
  return { path, files, kept: join(path, 'backups', 'media', digest.slice(0, 2), digest) }
}

test('a kept file takes no space of its own, and is there again when the folder of media is lost', async () => {
  const { path, files, kept } = await folderWithOne()
  keepAll(path)
  expect(statSync(kept).ino).toBe(statSync(files.path(digest)).ino)
  rmSync(join(path, 'media'), { recursive: true })
  expect(files.ensure(digest)).toBe(true)
  expect(readFileSync(files.path(digest))).toEqual(bytes)
})

test('what is removed stays for backups made until then, and goes with the last of them', async () => {
  const { path, files, kept } = await folderWithOne()
  keepAll(path)
  purge(files, Date.now() + day)
  expect(existsSync(kept)).toBe(true)
  files.remove(digest, new Date())
  expect(existsSync(files.path(digest))).toBe(false)
  purge(files, Date.now() - day)
  expect(existsSync(kept)).toBe(true)
  purge(files, Date.now() + day)
  expect(existsSync(kept)).toBe(false)
})

test('a copy on another disk counts from its removal, and a file that came with its old date from when it came', async context => {
  const { path, files, kept } = await folderWithOne()
  const isOther = (folder: string) => existsSync(folder) && statSync(folder).dev !== statSync(path).dev
  const other = ['/dev/shm', '/tmp', tmpdir()].find(isOther)
  if (other === undefined) return context.skip('there is no second file system')
  const elsewhere = mkdtempSync(join(other, 'assay-test-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  mkdirSync(join(path, 'backups'))
  symlinkSync(elsewhere, join(path, 'backups', 'media'))
  keepAll(path)
  expect(statSync(kept).ino).not.toBe(statSync(files.path(digest)).ino)
  expect(readFileSync(kept)).toEqual(bytes)
  utimesSync(kept, 0, 0)
  rmSync(files.path(digest))
  purge(files, Date.now() - day)
  expect(files.ensure(digest)).toBe(true)
  files.remove(digest, new Date(Date.now() + 2 * day))
  purge(files, Date.now() + day)
  expect(readFileSync(kept)).toEqual(bytes)
  // Nothing can be renamed from disk to disk.
  await files.write([{ digest, bytes }])
  rmSync(kept)
  files.remove(digest, new Date())
  expect([readFileSync(kept), existsSync(files.path(digest))]).toEqual([bytes, false])
})

test('a damaged name is kept anew, and is never brought back', async () => {
  const { path, files, kept } = await folderWithOne()
  keepAll(path)
  truncateSync(files.path(digest), 3)
  await files.write([{ digest, bytes }])
  expect(readFileSync(kept)).toHaveLength(3)
  keepAll(path)
  expect(readFileSync(kept)).toEqual(bytes)
  rmSync(files.path(digest))
  writeFileSync(kept, 'another!!')
  expect(files.ensure(digest)).toBe(false)
})

test('names each file that cannot be kept and keeps the others', async () => {
  const { path, files, kept } = await folderWithOne()
  const other = Buffer.from('another picture')
  const of = createHash('sha256').update(other).digest('hex')
  await files.write([{ digest: of, bytes: other }])
  // A folder is in the way of its name.
  mkdirSync(join(kept, 'in the way'), { recursive: true })
  const faults: unknown[] = []
  Array.from(keepMedia(path, error => faults.push(error)))
  expect(faults).toHaveLength(1)
  expect(unkeptFiles(faults)).toContain('The database was backed up, but 1 image, recording or document could not be kept')
  expect(readFileSync(join(path, 'backups', 'media', of.slice(0, 2), of))).toEqual(other)
})

test('files that earlier versions kept in media/removed are kept', async () => {
  const { path, files } = await folderWithOne()
  const removed = join(path, 'media', 'removed', digest)
  mkdirSync(dirname(removed))
  writeFileSync(removed, bytes)
  rmSync(files.path(digest))
  files.dropPieces()
  expect(existsSync(removed)).toBe(false)
  expect(files.ensure(digest)).toBe(true)
})

test('a folder, a link and a pipe in place of a kept file are none, and are in nobody’s way', async () => {
  const { path, files, kept } = await folderWithOne()
  keepAll(path)
  rmSync(join(path, 'media'), { recursive: true })
  const hostile = [() => mkdirSync(kept), () => symlinkSync(join(path, 'elsewhere'), kept), () => symlinkSync(path, kept)]
  if (process.platform === 'linux') hostile.push(() => expect(spawnSync('mkfifo', [kept]).status).toBe(0))
  for (const make of hostile) {
    rmSync(kept, { recursive: true, force: true })
    make()
    expect(files.ensure(digest)).toBe(false)
    purge(files, Date.now() + day)
    expect(lstatSync(kept).isFile()).toBe(false)
  }
  rmSync(kept, { recursive: true, force: true })
  symlinkSync(join(path, 'elsewhere'), kept)
  await files.write([{ digest, bytes }])
  keepAll(path)
  expect([lstatSync(kept).isFile(), readFileSync(kept)]).toEqual([true, bytes])
})
