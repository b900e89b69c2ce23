import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { formatBytes } from '../lib/format/bytes.ts'
import { formatNumber } from '../lib/format/numbers.ts'
import { type Database, makePrivateFile } from './database.ts'
import { writeMac } from './backup-mac.ts'
import { syncFolder } from './sync-folder.ts'
import { verifyCopy } from './verify-copy.ts'
import { migrations } from './migrations/migrations.ts'

/** The data was written by a newer Assay; nothing is touched. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

/** The disk has too little room for what an update has to copy first; nothing is changed. */
export class UpdateSpaceError extends Error {
  override readonly name = 'UpdateSpaceError'
  /** As of a disk that is full: what is set aside for that can be given up. */
  readonly code = 'ENOSPC'
}

/** Tells a person how far a long start is. */
export type Say = (line: string) => void

/** Milliseconds between two lines about the steps of an update. */
const lineEveryMs = 1_000

/**
 * Brings the schema up to date; a database that holds data is copied and the copy verified first.
 * @throws NewerDatabaseError, UpdateSpaceError; nothing was changed, whatever is thrown
 */
export function migrate(
  db: Database,
  now: Date,
  say: Say = () => undefined,
): { readonly from: number; readonly to: number; readonly backup: string | null } {
  const from = Number(single(db.pragma('user_version')))
  const to = migrations.length
  if (from > to) {
    throw new NewerDatabaseError(
      `${db.path} was written by a newer Assay (schema ${from}, this one knows ${to}). Nothing was changed: update Assay, or start it with another --data-dir.`,
    )
  }
  if (from === to) return { from, to, backup: null }
  const backup = from === 0 ? null : copyBefore(db, from, now, say)
  const steps = migrations.slice(from)
  let toldAt = performance.now()
  db.transaction(() => {
    for (const [i, { name, sql }] of steps.entries()) {
      if (performance.now() - toldAt > lineEveryMs) {
        say(`Updating the database: step ${i + 1} of ${steps.length} (${name}).`)
        toldAt = performance.now()
      }
      for (const statement of statementsOf(sql)) db.prepare(statement).run()
    }
    db.pragma(`user_version = ${to}`)
  })
  if (backup !== null) say(`The database is up to date (schema ${to}).`)
  return { from, to, backup }
}

/**
 * The verified copy of what is about to be changed. Its name follows from the state that was copied, so that an update that failed or was
 * killed finds its copy again, however often it is tried.
 */
function copyBefore(db: Database, from: number, now: Date, say: Say): string {
  const folder = backupFolderOf(db)
  for (const name of readdirSync(folder)) if (/^pre-v.*\.partial/.test(name)) rmSync(join(folder, name), { recursive: true })
  const name = `pre-v${migrations.length}-${stateOf(db, from)}.db`
  const path = join(folder, name)
  const update = `Updating the database ${db.path} from schema ${from} to ${migrations.length}`
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
    say(`${update}. The verified copy in ${path} is of this state and is used again.`)
    return path
  }
  // A folder or a link of that name would be in the way.
  rmSync(path, { force: true, recursive: true })
  const bytes =
    (Number(single(db.pragma('page_count'))) - Number(single(db.pragma('freelist_count')))) * Number(single(db.pragma('page_size')))
  const free = freeBytes(folder)
  const needed = bytes + Math.max(leastRoom, bytes / 10)
  if (free !== null && free < needed)
    throw new UpdateSpaceError(
      `${update} needs ${formatBytes(needed)} on the disk of ${folder}, for a copy of the database and the changes; ${formatBytes(free)} are free. Nothing was changed: free some space and start again.`,
    )
  say(
    `${update}. First it is copied to ${path} (${formatBytes(bytes)}${free === null ? '' : `; ${formatBytes(free)} are free`}) and the copy verified.`,
  )
  const begun = performance.now()
  backUp(db, name)
  // The time of the backup, whose name states none.
  utimesSync(path, now, now)
  say(`Copied and verified in ${formatNumber((performance.now() - begun) / 1000, 1)} s.`)
  return path
}

/** Bytes for the changes of an update, beside the copy. */
const leastRoom = 8 * 1024 * 1024

/** Changes with every commit: with the log moved into it, the file is written whenever there was one. */
function stateOf(db: Database, from: number): string {
  const [moved] = Checkpoint.parse(db.pragma('wal_checkpoint(truncate)'))
  const { ino, size, mtimeNs } = statSync(db.path, { bigint: true })
  // A reader that keeps commits in the log makes every state another one.
  const facts = [from, ino, size, mtimeNs, ...(moved.busy === 0 ? [] : [process.pid, performance.timeOrigin])]
  return createHash('sha256').update(facts.join()).digest('hex').slice(0, 12)
}

const Checkpoint = z.tuple([z.object({ busy: z.number() })])

function backupFolderOf(db: Database): string {
  const folder = join(dirname(db.path), 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Null where the system does not say. */
function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Copies the whole database, checks the copy, and only then gives it its name. Leaves no piece of a copy that failed. */
export function backUp(db: Database, name: string): string {
  const folder = backupFolderOf(db)
  const path = join(folder, name)
  const partial = `${path}.partial`
  const removePieces = () => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true, recursive: true })
  }
  // Left by one that was cut off; it would be in the way.
  removePieces()
  try {
    // Into an empty file that only its owner can read.
    makePrivateFile(partial)
    db.prepare('vacuum into ?').run(partial)
    const fault = verifyCopy(partial)
    if (fault !== null) throw new Error(`The copy ${partial} is not sound (${fault}); nothing was changed.`)
    writeMac(partial, path)
    renameSync(partial, path)
    syncFolder(folder)
    return path
  } finally {
    removePieces()
  }
}

/** Splits a script at semicolons that end a line, keeping the bodies of triggers together. */
export function statementsOf(script: string): string[] {
  const statements: string[] = []
  let current = ''
  for (const line of script.split('\n')) {
    current += `${line}\n`
    const open = /^create trigger/i.test(current.trim()) && !/\bend;$/i.test(line.trim())
    if (line.trimEnd().endsWith(';') && !open) {
      statements.push(current.trim())
      current = ''
    }
  }
  if (current.trim()) throw new Error('A migration must end with a semicolon.')
  return statements
}

/** The one value of a pragma's answer. */
function single(rows: unknown): unknown {
  const row: unknown = Array.isArray(rows) ? rows[0] : rows
  return typeof row === 'object' && row !== null ? Object.values(row)[0] : row
}
