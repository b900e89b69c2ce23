import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from './sync-folder.ts'

/** Names of media files in a folder; none where it is not there. */
export const mediaIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter(name => /^[0-9a-f]{64}$/.test(name)) : []

/** `ab`, `ac` and so on: media files are spread by what their names begin with. */
export const spreadIn = (root: string): string[] => (existsSync(root) ? readdirSync(root).filter(name => /^[0-9a-f]{2}$/.test(name)) : [])

const keptIn = (dataDir: string) => join(dataDir, 'backups', 'media')

/** Files in `backups/media/`: a second name of each file of `media/`, which takes no space, so that the folder `backups` is whole alone. */
export interface KeptMedia {
  /** Gives the file its name in `media/` again; false where it was not kept. */
  bringBack(digest: string, to: string): boolean
  /** Takes a file away from `media/` that backups made until then may refer to. */
  moveHere(digest: string, from: string, at: Date): void
  /** Removes what is no longer in `media/` and was taken away, or copied here, before the time. */
  purge(beforeMs: number, isThere: (digest: string) => boolean): void
}

export function keptMedia(dataDir: string): KeptMedia {
  const root = keptIn(dataDir)
  const pathOf = (digest: string) => join(root, digest.slice(0, 2), digest)
  return {
    bringBack: (digest, to) => {
      if (!existsSync(pathOf(digest))) return false
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      nameAgain(pathOf(digest), to)
      syncFolder(dirname(to))
      return true
    },
    moveHere: (digest, from, at) => {
      utimesSync(from, at, at)
      if (existsSync(pathOf(digest))) {
        // A copy where the disk has no links.
        utimesSync(pathOf(digest), at, at)
        rmSync(from, { force: true })
        return
      }
      mkdirSync(dirname(pathOf(digest)), { recursive: true, mode: 0o700 })
      renameSync(from, pathOf(digest))
    },
    purge: (beforeMs, isThere) => {
      for (const folder of spreadIn(root))
        for (const digest of mediaIn(join(root, folder))) {
          const { mtimeMs, ctimeMs } = statSync(pathOf(digest))
          // Losing its other name, or being copied here, changes the second.
          if (Math.max(mtimeMs, ctimeMs) < beforeMs && !isThere(digest)) rmSync(pathOf(digest), { force: true })
        }
    },
  }
}

/** Keeps all that is in `media/` now for backups, a folder each time; what a backup refers to was there before its rows. */
export function* keepMedia(dataDir: string): Generator<void> {
  for (const folder of spreadIn(join(dataDir, 'media'))) {
    const [from, to] = [join(dataDir, 'media', folder), join(keptIn(dataDir), folder)]
    const known = new Set(mediaIn(to))
    const added = mediaIn(from).filter(digest => !known.has(digest))
    if (added.length > 0) {
      mkdirSync(to, { recursive: true, mode: 0o700 })
      for (const digest of added) nameAgain(join(from, digest), join(to, digest))
      syncFolder(to)
    }
    yield
  }
}

/** A second name for a file; a copy where the disk has no links. One that has just been removed is left out. */
function nameAgain(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    if (existsSync(to) || !existsSync(from)) return
    const piece = `${to}.partial`
    copyFileSync(from, piece, constants.COPYFILE_FICLONE)
    const file = openSync(piece, 'r+')
    try {
      fdatasyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(piece, to)
  }
}
