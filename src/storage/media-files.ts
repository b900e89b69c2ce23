import { randomUUID } from 'node:crypto'
import { closeSync, createReadStream, existsSync, fstatSync, mkdirSync, openSync, readSync, rmSync, statSync, utimesSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { keptMedia, mediaIn, shardsIn } from './kept-media.ts'
import { syncFolder, syncFolderLater } from './sync-folder.ts'

/** Files written, or folders flushed, at the same time: the flushes of one group share the disk's. */
const group = 8
/** How long a file may wait for its row. */
const claimMs = 3600 * 1000

/** Bytes to be stored, by their SHA-256 in hexadecimal. */
export interface MediaBytes {
  readonly digest: string
  readonly bytes: Uint8Array
}

/**
 * The files in `media/`, each called by its SHA-256 (`media/ab/ab…`) and never changed. Whoever makes a row for a digest writes the file
 * first; whoever removes a file removes its row first. A file without a row is a rest of a stop, and a sweep removes it later.
 */
export interface MediaFiles {
  /** Returns once all are durable under their names. What is there already is kept, and counts as written now. */
  write(files: readonly MediaBytes[]): Promise<void>
  /** Whether the file is there; one that is kept for a backup alone is brought back. */
  ensure(digest: string): boolean
  /** Where the file is or would be. */
  path(digest: string): string
  /** @param room memory of the caller for so many bytes; @throws Error ENOENT where it is missing */
  read(digest: string, room?: Room): Promise<Buffer>
  /** @param to inclusive */
  stream(digest: string, from: number, to: number): Readable
  /** Takes a file away: for backups with the time, where one may refer to it; for good where that is null. */
  remove(digest: string, keptFrom: Date | null): void
  /** Digests in the folder that were not written or claimed for an hour. */
  settled(): IterableIterator<string>
  /** Removes what was kept for backups alone and taken away before the time, all where it is null; a folder each time. */
  purgeKept(beforeMs: number | null): Generator<void>
  /** Removes pieces of files that were being written when the process ended; only while nothing else writes. */
  dropPieces(): void
}

/** Memory for so many bytes or more. */
type Room = (bytes: number) => Buffer

export function createMediaFiles(dataDir: string): MediaFiles {
  const root = join(dataDir, 'media')
  const pieces = join(root, 'writing')
  const kept = keptMedia(dataDir)
  const pathOf = (digest: string): string => join(root, digest.slice(0, 2), digest)
  const makeFolder = (path: string): void => makeFolders([path])
  /** Of one parent, whose names are made durable once. */
  const makeFolders = (paths: readonly string[]): void => {
    const absent = paths.filter(path => !existsSync(path))
    for (const path of absent) mkdirSync(path, { recursive: true, mode: 0o700 })
    if (absent[0] !== undefined) syncFolder(dirname(absent[0]))
  }
  const ensure = (digest: string): boolean => existsSync(pathOf(digest)) || kept.restore(digest, pathOf(digest))
  const writeOne = async ({ digest, bytes }: MediaBytes): Promise<void> => {
    const path = pathOf(digest)
    if (ensure(digest) && statSync(path).size === bytes.length) {
      const now = new Date()
      utimesSync(path, now, now)
      return
    }
    const piece = join(pieces, randomUUID())
    const file = await open(piece, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(piece, path)
  }
  const reader = createFileReader()
  return {
    write: async files => {
      const wanted = [...new Map(files.map(file => [file.digest, file])).values()]
      if (wanted.length === 0) return
      makeFolder(root)
      makeFolder(pieces)
      const folders = [...new Set(wanted.map(({ digest }) => dirname(pathOf(digest))))]
      makeFolders(folders)
      for (let i = 0; i < wanted.length; i += group) await Promise.all(wanted.slice(i, i + group).map(writeOne))
      // Several hundred pictures lie in as many folders.
      for (let i = 0; i < folders.length; i += group) await Promise.all(folders.slice(i, i + group).map(syncFolderLater))
    },
    ensure,
    path: pathOf,
    read: (digest, room) => reader.read(pathOf(digest), room),
    stream: (digest, from, to) => createReadStream(pathOf(digest), { start: from, end: to }),
    remove: (digest, keptFrom) => {
      const path = pathOf(digest)
      if (!existsSync(path)) return
      if (keptFrom === null) rmSync(path, { force: true })
      else kept.retain(digest, path, keptFrom)
    },
    settled: function* () {
      const before = Date.now() - claimMs
      for (const name of shardsIn(root))
        for (const digest of mediaIn(join(root, name))) if (changedAt(pathOf(digest)) < before) yield digest
    },
    purgeKept: beforeMs => kept.purge(beforeMs ?? Number.POSITIVE_INFINITY, digest => existsSync(pathOf(digest))),
    dropPieces: () => {
      rmSync(pieces, { recursive: true, force: true })
      // Until 30 November 2026 they were kept here.
      const removed = join(root, 'removed')
      for (const digest of mediaIn(removed))
        try {
          kept.retain(digest, join(removed, digest), statSync(join(removed, digest)).mtime)
        } catch {
          // It stays where it is, and the next start tries again.
        }
    },
  }
}

/** Bytes up to which a file is read in this thread. */
const mostHere = 1024 * 1024
/** A disk that takes longer makes others wait, where it does so twice in a row: once, the machine may have given the processor to another. */
const slowMs = 3
const mostSlow = 2
/** Files that are then read by other threads before it is tried again. */
const afterSlow = 200

/**
 * Reads files of what is usually a run's next thousand pictures. From a disk that answers at once they are read in this thread: to wake
 * another one, and to be woken by it, costs several times as much.
 */
function createFileReader(): { read(path: string, room?: Room): Promise<Buffer> } {
  let elsewhere = 0
  let slow = 0
  return {
    read: async (path, room = Buffer.allocUnsafeSlow) => {
      if (elsewhere > 0) {
        elsewhere--
        return readFile(path)
      }
      const started = performance.now()
      const bytes = readHere(path, room)
      slow = performance.now() - started > slowMs ? slow + 1 : 0
      if (slow >= mostSlow) elsewhere = afterSlow
      return bytes ?? readFile(path)
    },
  }
}

/** Null for a large file. */
function readHere(path: string, room: Room): Buffer | null {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > mostHere) return null
    const bytes = room(size).subarray(0, size)
    let at = 0
    for (let read = 1; read > 0 && at < size; at += read) read = readSync(file, bytes, at, size - at, null)
    return bytes.subarray(0, at)
  } finally {
    closeSync(file)
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
}
