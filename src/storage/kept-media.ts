import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../lib/message-of.ts'
import { syncFolder } from './sync-folder.ts'

/** Names of media files in a folder, without folders, links and pipes; empty where the folder does not exist. */
export const mediaIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name) ? entry.name : []))
    : []

/** Shard folders such as `ab`: media files are spread by the first two digits of their digest. */
export const shardsIn = (root: string): string[] => (existsSync(root) ? readdirSync(root).filter(name => /^[0-9a-f]{2}$/.test(name)) : [])

/** More than any stored file has. */
const mostBytes = 64 * 1024 * 1024

/** Bytes that copies leave free on the disk. */
const reserveBytes = 64 * 1024 * 1024

const keptIn = (dataDir: string) => join(dataDir, 'backups', 'media')

/**
 * Files in `backups/media/`: a hard link to each file of `media/`, which takes no space, so that the folder `backups` is complete by itself.
 * Where the disk has no links, or `backups` is on another one, it is a copy.
 */
export interface KeptMedia {
  /** Links the file into `media/` again; false where it was not kept, or does not match its digest. */
  restore(digest: string, to: string): boolean
  /** Moves a file out of `media/` that earlier backups may refer to. */
  retain(digest: string, from: string, at: Date): void
  /** Removes files that are no longer in `media/` and were moved or copied here before the time, one shard per step. */
  purge(beforeMs: number, isThere: (digest: string) => boolean): Generator<void>
}

export function keptMedia(dataDir: string): KeptMedia {
  const root = keptIn(dataDir)
  const pathOf = (digest: string) => join(root, digest.slice(0, 2), digest)
  return {
    restore: (digest, to) => {
      if (!matchesDigest(pathOf(digest), digest)) return false
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      linkOrCopy(pathOf(digest), to)
      syncFolder(dirname(to))
      return true
    },
    retain: (digest, from, at) => {
      mkdirSync(dirname(pathOf(digest)), { recursive: true, mode: 0o700 })
      if (!isKept(from, pathOf(digest))) linkOrCopy(from, pathOf(digest))
      utimesSync(pathOf(digest), at, at)
      rmSync(from, { force: true })
    },
    purge: function* (beforeMs, isThere) {
      for (const folder of shardsIn(root)) {
        for (const digest of mediaIn(join(root, folder))) {
          const { mtimeMs, ctimeMs } = lstatSync(pathOf(digest))
          // Unlinking the other name, or copying the file here, changes ctime.
          if (Math.max(mtimeMs, ctimeMs) < beforeMs && !isThere(digest)) rmSync(pathOf(digest), { force: true })
        }
        yield
      }
    },
  }
}

/**
 * Links every file of `media/` for backups, one shard per step; the files that a backup refers to exist before its rows.
 * @param fail with each file that cannot be kept
 */
export function* keepMedia(dataDir: string, fail: (error: unknown) => void): Generator<void> {
  for (const folder of shardsIn(join(dataDir, 'media'))) {
    const [from, to] = [join(dataDir, 'media', folder), join(keptIn(dataDir), folder)]
    let isChanged = false
    for (const digest of mediaIn(from)) {
      if (isKept(join(from, digest), join(to, digest))) continue
      try {
        mkdirSync(to, { recursive: true, mode: 0o700 })
        linkOrCopy(join(from, digest), join(to, digest))
        isChanged = true
      } catch (error) {
        fail(error)
      }
    }
    if (isChanged) syncFolder(to)
    yield
  }
}

/** What to say of files that could not be kept. */
export function unkeptFiles(faults: readonly unknown[]): string {
  const files = faults.length === 1 ? '1 image, recording or document' : `${faults.length} images, recordings and documents`
  return `The database was backed up, but ${files} could not be kept beside it: ${messageOf(faults[0])}`
}

/** Whether the kept name is of the same file. A damaged or truncated copy is not; a file that has just been removed needs none. */
function isKept(path: string, kept: string): boolean {
  const [file, second] = [path, kept].map(one => lstatSync(one, { throwIfNoEntry: false }))
  return file === undefined || (second?.isFile() === true && (second.ino === file.ino || second.size === file.size))
}

/** Replaces `to` with a hard link to the file, or with a copy where the file system has no links. */
function linkOrCopy(from: string, to: string): void {
  const piece = `${to}.partial`
  rmSync(piece, { force: true })
  try {
    linkSync(from, piece)
  } catch {
    const { bavail, bsize } = statfsSync(dirname(to))
    if (bavail * bsize < statSync(from).size + reserveBytes)
      throw new Error(`The disk of ${dirname(to)} has no room for a copy of ${from}.`)
    copyFileSync(from, piece, constants.COPYFILE_FICLONE)
    const file = openSync(piece, 'r+')
    try {
      fdatasyncSync(file)
    } finally {
      closeSync(file)
    }
  }
  renameSync(piece, to)
}

/** Folders are copied by hand and may contain anything: a pipe would be read without end. */
function matchesDigest(path: string, digest: string): boolean {
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (!file?.isFile() || file.size > mostBytes) return false
  return createHash('sha256').update(readFileSync(path)).digest('hex') === digest
}
