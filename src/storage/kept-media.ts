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

/** Names of media files in a folder; none where it is not there. A folder, link or pipe of such a name is none. */
export const mediaIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name) ? entry.name : []))
    : []

/** `ab`, `ac` and so on: media files are spread by what their names begin with. */
export const spreadIn = (root: string): string[] => (existsSync(root) ? readdirSync(root).filter(name => /^[0-9a-f]{2}$/.test(name)) : [])

/** More than any stored file has. */
const mostBytes = 64 * 1024 * 1024

/** Bytes that copies leave free on the disk. */
const reserve = 64 * 1024 * 1024

const keptIn = (dataDir: string) => join(dataDir, 'backups', 'media')

/**
 * Files in `backups/media/`: a second name of each file of `media/`, which takes no space, so that the folder `backups` is whole alone.
 * Where the disk has no links, or `backups` is on another one, it is a copy.
 */
export interface KeptMedia {
  /** Gives the file its name in `media/` again; false where it was not kept, or is another than its digest says. */
  bringBack(digest: string, to: string): boolean
  /** Takes a file away from `media/` that backups made until then may refer to. */
  moveHere(digest: string, from: string, at: Date): void
  /** Removes what is no longer in `media/` and was taken away, or copied here, before the time; a folder each time. */
  purge(beforeMs: number, isThere: (digest: string) => boolean): Generator<void>
}

export function keptMedia(dataDir: string): KeptMedia {
  const root = keptIn(dataDir)
  const pathOf = (digest: string) => join(root, digest.slice(0, 2), digest)
  return {
    bringBack: (digest, to) => {
      if (!isWhole(pathOf(digest), digest)) return false
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      nameAgain(pathOf(digest), to)
      syncFolder(dirname(to))
      return true
    },
    moveHere: (digest, from, at) => {
      mkdirSync(dirname(pathOf(digest)), { recursive: true, mode: 0o700 })
      if (!isKept(from, pathOf(digest))) nameAgain(from, pathOf(digest))
      utimesSync(pathOf(digest), at, at)
      rmSync(from, { force: true })
    },
    purge: function* (beforeMs, isThere) {
      for (const folder of spreadIn(root)) {
        for (const digest of mediaIn(join(root, folder))) {
          const { mtimeMs, ctimeMs } = lstatSync(pathOf(digest))
          // Losing its other name, or being copied here, changes the second.
          if (Math.max(mtimeMs, ctimeMs) < beforeMs && !isThere(digest)) rmSync(pathOf(digest), { force: true })
        }
        yield
      }
    },
  }
}

/**
 * Keeps all that is in `media/` now for backups, a folder each time; what a backup refers to was there before its rows.
 * @param fail with each file that cannot be kept
 */
export function* keepMedia(dataDir: string, fail: (error: unknown) => void): Generator<void> {
  for (const folder of spreadIn(join(dataDir, 'media'))) {
    const [from, to] = [join(dataDir, 'media', folder), join(keptIn(dataDir), folder)]
    let isChanged = false
    for (const digest of mediaIn(from)) {
      if (isKept(join(from, digest), join(to, digest))) continue
      try {
        mkdirSync(to, { recursive: true, mode: 0o700 })
        nameAgain(join(from, digest), join(to, digest))
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

/** A name that was damaged, or cut off, is none. One that has just been removed is no longer to be kept. */
function isKept(path: string, kept: string): boolean {
  const [file, second] = [path, kept].map(one => lstatSync(one, { throwIfNoEntry: false }))
  return file === undefined || (second?.isFile() === true && (second.ino === file.ino || second.size === file.size))
}

/** A second name for a file, in place of one that is there; a copy where the disk has no links. */
function nameAgain(from: string, to: string): void {
  const piece = `${to}.partial`
  rmSync(piece, { force: true })
  try {
    linkSync(from, piece)
  } catch {
    const { bavail, bsize } = statfsSync(dirname(to))
    if (bavail * bsize < statSync(from).size + reserve) throw new Error(`The disk of ${dirname(to)} has no room for a copy of ${from}.`)
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

/** What lies in the folder may be anything, since folders are copied: a pipe would be read without end. */
function isWhole(path: string, digest: string): boolean {
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (!file?.isFile() || file.size > mostBytes) return false
  return createHash('sha256').update(readFileSync(path)).digest('hex') === digest
}
