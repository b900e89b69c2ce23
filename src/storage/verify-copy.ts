import { closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { type BackupProof, proofOf } from './backup-mac.ts'

/**
 * Examines every page of a copied database, after turning it into one file that needs no log beside it, and makes it durable.
 * @returns what is wrong with it, or null
 */
export function verifyCopy(path: string): string | null {
  return faultOf(() => {
    const verdict = readPages(path, true)
    if (verdict !== null) return verdict
    const file = openSync(path, 'r+')
    fsyncSync(file)
    closeSync(file)
    return null
  })
}

/** What an examination found. */
export interface Verified {
  readonly fault: string | null
  readonly proof: BackupProof
}

/** Copies a backup and examines the copy, which is not changed meanwhile. */
export function copyVerified(from: string, to: string): Verified {
  let proof: BackupProof = 'missing'
  const fault = faultOf(() => {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    // Before SQLite opens it, which may change bytes that mean nothing.
    proof = proofOf(to, from)
    return verifyCopy(to)
  })
  return { fault, proof }
}

/** Examines a backup where it lies. */
export function verifyBackupFile(path: string): Verified {
  let proof: BackupProof = 'missing'
  const fault = faultOf(() => {
    proof = proofOf(path, path)
    return readPages(path, false)
  })
  return { fault, proof }
}

function faultOf(look: () => string | null): string | null {
  try {
    return look()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** @param joinsLog writes into the file, whose bytes are otherwise left as they are */
function readPages(path: string, joinsLog: boolean): string | null {
  const copy = new Sqlite(path, { fileMustExist: true })
  try {
    if (joinsLog) copy.pragma('journal_mode = DELETE')
    const verdict = copy.pragma('integrity_check(1)', { simple: true })
    return verdict === 'ok' ? null : String(verdict)
  } finally {
    copy.close()
  }
}
