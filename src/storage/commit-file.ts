import { closeSync, existsSync, fdatasync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The last commit of a database. */
export interface CommitCount {
  readonly commits: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The count of commits beside the database; see decision record 0032. */
export interface CommitFile {
  /** After a commit. Never throws: without the note a loss may go unnoticed, with an error the commit would seem to have failed. */
  note(count: CommitCount): void
  close(): void
}

const headerBytes = 128
const slotBytes = 32
/** Each connection that writes has its own: a thread that is slow to note must not take the count back. */
const slots = { first: 0, second: 1 } as const
const flushEveryMs = 1_000

const pathFor = (databasePath: string) => join(dirname(databasePath), 'commits-made')

/** What the file says was committed; null where there is none, or it is of another database. */
export function readCommitFile(databasePath: string): CommitCount | null {
  const identity = identityOf(databasePath)
  const bytes = contentOf(pathFor(databasePath))
  if (!bytes || identity === null || bytes.toString('latin1', 0, headerBytes).trimEnd() !== identity) return null
  const found = Object.values(slots).flatMap(slot => {
    const start = headerBytes + slot * slotBytes
    if (bytes.length < start + slotBytes) return []
    const [commits, at] = [bytes.readDoubleBE(start), bytes.readDoubleBE(start + 8)]
    return bytes.readDoubleBE(start + 16) === check(commits, at) ? [{ commits, at }] : []
  })
  return found.reduce<CommitCount | null>((last, next) => (last && last.commits >= next.commits ? last : next), null)
}

/** Starts a new file for the first connection. */
export function beginCommitFile(databasePath: string, count: CommitCount): CommitFile {
  const header = (identityOf(databasePath) ?? '').padEnd(headerBytes)
  const file = openSync(pathFor(databasePath), 'w', 0o600)
  writeSync(file, header, 0, 'latin1')
  const made = noteIn(file, slots.first)
  made.note(count)
  return made
}

/** For the second connection; null where the first one has begun no file. */
export function joinCommitFile(databasePath: string): CommitFile | null {
  const path = pathFor(databasePath)
  return existsSync(path) ? noteIn(openSync(path, 'r+'), slots.second) : null
}

function noteIn(file: number, slot: number): CommitFile {
  const buffer = Buffer.alloc(slotBytes)
  let flushedAt = Number.NEGATIVE_INFINITY
  let isFlushing = false
  let isClosed = false
  const closeNow = () => closeSync(file)
  const flush = () => {
    const now = performance.now()
    if (isFlushing || now - flushedAt < flushEveryMs) return
    flushedAt = now
    isFlushing = true
    fdatasync(file, () => {
      isFlushing = false
      if (isClosed) closeNow()
    })
  }
  return {
    note: ({ commits, at }) => {
      if (isClosed) return
      try {
        buffer.writeDoubleBE(commits, 0)
        buffer.writeDoubleBE(at, 8)
        buffer.writeDoubleBE(check(commits, at), 16)
        writeSync(file, buffer, 0, slotBytes, headerBytes + slot * slotBytes)
        flush()
      } catch {
        // The count before it stays, which is fewer than there are.
      }
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      if (!isFlushing) closeNow()
    },
  }
}

/** Tells a slot that was written whole from one that was never written or torn. */
function check(commits: number, at: number): number {
  return commits * 31 + at + 1
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

/** Changes with a database put in place of this one. */
function identityOf(databasePath: string): string | null {
  const stat = statSync(databasePath, { throwIfNoEntry: false, bigint: true })
  return stat ? `assay commits 1 ${stat.ino} ${stat.birthtimeMs}` : null
}
