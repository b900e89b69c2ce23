import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type BackupProof, macFileOf, proofOf } from './backup-mac.ts'
import { messageOf } from '../lib/message-of.ts'
import { sizeFault } from './size-fault.ts'

/**
 * Examines every page of a copied database, after turning it into one file that needs no log beside it, and makes it durable.
 * @returns what is wrong with it, or null
 */
export function verifyCopy(path: string): string | null {
  return faultOf(() => readPages(path, true) ?? durable(path))
}

function durable(path: string): null {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
  return null
}

/** What an examination found. */
export interface Verified {
  readonly fault: string | null
  readonly proof: BackupProof
  /** A log beside the backup, as `logFault` words it, which the examination found and ended at; nothing is known of the backup then. */
  readonly log: string | null
}

/** How a file differs from a database of ours; see `foreignness`. */
export type Foreignness = (db: Sqlite.Database) => string | null

/**
 * Copies a backup and examines the copy, which is not changed meanwhile. Of one that is foreign only that is said: to check its rows would
 * execute what it holds.
 */
export function copyVerified(from: string, to: string, foreignness: Foreignness): Verified {
  let proof: BackupProof = existsSync(macFileOf(from)) ? 'different' : 'missing'
  const fault = faultOf(() => {
    const unread = sizeFault(from)
    if (unread !== null) return unread
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    // Before SQLite opens it, which may change bytes that mean nothing.
    proof = proofOf(to, from)
    return readPages(to, true, foreignness) ?? durable(to)
  })
  return { fault, proof, log: null }
}

/**
 * Examines a backup where it lies. A log beside it, which a restore does not copy, is not read: SQLite would write it into the backup.
 */
export function verifyBackupFile(path: string, foreignness: Foreignness): Verified {
  let proof: BackupProof = existsSync(macFileOf(path)) ? 'different' : 'missing'
  let log: string | null = null
  // A connection that only reads leaves an empty log and its index beside a database of that mode.
  const made = [`${path}-wal`, `${path}-shm`].filter(file => !existsSync(file))
  const fault = faultOf(() => {
    const unread = sizeFault(path)
    if (unread !== null) return unread
    proof = proofOf(path, path)
    log = logFault(path)
    return log ?? readPages(path, false, foreignness)
  })
  // One that appeared after the first look was read with the pages.
  log ??= logFault(path)
  if (log === null) for (const file of made) rmSync(file, { force: true })
  return { fault: log ?? fault, proof, log }
}

/** Why a backup cannot be examined where it lies; null where it can. An empty log, which a check that was killed leaves, changes nothing. */
export function logFault(path: string): string | null {
  const log = [`${path}-wal`, `${path}-journal`].find(file => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
  return log === undefined ? null : `A log (${basename(log)}) is next to the backup and could change it. Move it away and check again.`
}

function faultOf(look: () => string | null): string | null {
  try {
    return look()
  } catch (error) {
    return messageOf(error)
  }
}

/** @param joinsLog writes into the file, whose bytes are otherwise left as they are */
function readPages(path: string, joinsLog: boolean, foreignness?: Foreignness): string | null {
  const copy = new Sqlite(path, { fileMustExist: true, readonly: !joinsLog })
  try {
    if (joinsLog) copy.pragma('journal_mode = DELETE')
    const foreign = foreignness?.(copy) ?? null
    if (foreign !== null) return `it ${foreign}`
    const verdict = copy.pragma('integrity_check(1)', { simple: true })
    return verdict === 'ok' ? null : String(verdict)
  } finally {
    copy.close()
  }
}
