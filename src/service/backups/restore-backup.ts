import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ApiError } from '../../contract/errors.ts'
import { isDamage } from '../../storage/storage-fault.ts'
import { openDatabase } from '../../storage/database.ts'
import { foreignness } from '../../storage/compare-schema.ts'
import { type BackupProof, macFileOf } from '../../storage/backup-mac.ts'
import { copyVerified } from '../../storage/verify-copy.ts'
import { endMachineJobs } from '../jobs/index.ts'
import { lockDataFolder } from '../lifecycle/data-folder.ts'
import { type BackupFile, backupFolder, listBackupFiles } from './backup-files.ts'
import { hasSettings, type LastRestore, writeLastRestore } from './backups.store.ts'
import { carryAccess } from './carry-access.store.ts'
import { completeSwap, databaseIn, dropSuccessor, successorIn, swapDatabase } from './swap-database.ts'

export interface Restored {
  readonly backup: string
  /** Folder that the database in use until now was moved to; null where there was none. */
  readonly replaced: string | null
  /** False: sessions, keys and members are those of the backup, because the present ones could not be read. */
  readonly accessCarried: boolean
}

/**
 * Puts a backup in the place of the database while no service runs. The backup is verified first, and what is replaced is kept, its log
 * beside it, sound or not.
 * @param name of a backup, or `newest`
 * @param withoutProof whether one may be taken that nothing proves to be as this data folder made it
 * @throws Error when a service runs on the folder, or the backup is absent, damaged or of a newer Assay. Nothing was changed then.
 */
export function restoreBackup(dataDir: string, name: string, withoutProof: boolean, now: Date): Restored {
  const lock = lockDataFolder(dataDir)
  try {
    completeSwap(dataDir)
    const known = listBackupFiles(dataDir)
    const chosen = name === 'newest' ? known[0] : known.find(backup => backup.name === name)
    if (!chosen) throw new Error(`There is no backup "${name}" in ${backupFolder(dataDir)}.`)
    requireKnown(chosen)
    try {
      dropSuccessor(dataDir)
      const { fault, proof } = copyVerified(join(backupFolder(dataDir), chosen.name), successorIn(dataDir), foreignness)
      requireSound(chosen, fault)
      requireProof(chosen, proof, withoutProof)
      const accessCarried = carryAccessIfReadable(dataDir, now.toISOString(), () => undefined)
      endCopiedJobs(dataDir, now)
      const isThere = existsSync(databaseIn(dataDir))
      const aside = join(`replaced-${now.toISOString().replaceAll(':', '-')}`, 'assay.db')
      const kept_as = isThere ? dirname(aside) : null
      recordRestore(successorIn(dataDir), {
        at: now.toISOString(),
        backup: chosen.name,
        kept_as,
        failure: null,
        access_carried: accessCarried,
      })
      swapDatabase(dataDir, aside)
      return { backup: chosen.name, replaced: isThere ? join(dataDir, aside, '..') : null, accessCarried }
    } finally {
      dropSuccessor(dataDir)
    }
  } finally {
    lock.release()
  }
}

/** @throws ApiError conflict for a backup without a valid MAC, unless a person confirmed it */
export function requireProof({ name }: BackupFile, proof: BackupProof, withoutProof: boolean): void {
  if (proof === 'valid' || withoutProof) return
  const why =
    proof === 'missing'
      ? `There is no MAC beside the backup ${name}: an earlier version made it, or the file ${macFileOf(name)} was removed, so it may have been changed.`
      : `The backup ${name} does not match its MAC: it was changed, renamed or made in another data folder.`
  throw new ApiError(
    'conflict',
    `${why} Nothing was changed. If you trust the file, restore it without proof (--without-proof, or without_proof=true).`,
  )
}

/** @throws ApiError conflict: nothing is wrong with it, but this version cannot tell what belongs in it */
export function requireKnown({ name, newer }: BackupFile): void {
  if (newer)
    throw new ApiError(
      'conflict',
      `The backup ${name} was made by a newer Assay. Nothing was changed; update Assay to check or restore it.`,
    )
}

export function requireSound({ name }: BackupFile, fault: string | null): void {
  if (fault !== null) throw new ApiError('conflict', `The backup ${name} is not sound (${fault}). Nothing was changed; choose another.`)
}

/** The machine's own jobs in a backup, such as the one that made it, are over. */
export function endCopiedJobs(dataDir: string, now: Date): void {
  const successor = openDatabase(successorIn(dataDir))
  try {
    endMachineJobs(successor, now.toISOString())
  } finally {
    successor.close()
  }
}

/** What is replaced may be damaged, which is why somebody goes back: then access is as it was in the backup, and the answer is false. */
export function carryAccessIfReadable(dataDir: string, now: string, note: (error: Error) => void): boolean {
  // An empty file is not a database that anybody could be refused by.
  if (!existsSync(databaseIn(dataDir)) || statSync(databaseIn(dataDir)).size === 0) return true
  try {
    carryAccess(successorIn(dataDir), databaseIn(dataDir), now)
    return true
  } catch (error) {
    // It is one transaction: no session, key or member was changed.
    if (!isDamage(error)) throw error
    note(error)
    return false
  }
}

/** Written into the database that the restore is about, so that the next start can detect it. */
export function recordRestore(path: string, restore: LastRestore): void {
  if (!existsSync(path)) return
  const db = openDatabase(path)
  try {
    if (hasSettings(db)) writeLastRestore(db, restore)
  } finally {
    db.close()
  }
}
