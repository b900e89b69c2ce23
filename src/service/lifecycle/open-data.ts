import { join, resolve } from 'node:path'
import { type Database, openDatabase } from '../../storage/database.ts'
import { migrate, type Say } from '../../storage/migrate.ts'
import { isDamage, StorageError } from '../../storage/storage-fault.ts'
import { listBackupFiles, tidyUpdateCopies } from '../backups/index.ts'
import { markDatabase, requireDatabase } from './missing-database.ts'
import { quickCheck } from './probe.store.ts'
import { readServiceFile } from './service-file.ts'
import { commandLine, quoted } from '../../lib/command-line.ts'

/** The database cannot be read. Nothing was changed or deleted. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError'
}

export interface OpenedData {
  readonly db: Database
  readonly migrated: ReturnType<typeof migrate>
}

/**
 * Opens the database of a data folder and brings it up to date. After a stop that was not a clean one its pages are examined first.
 * @throws MissingDatabaseError where there was a database once; DamagedDatabaseError naming the backup to go back to; NewerDatabaseError when a newer Assay wrote it;
 * UpdateSpaceError; StorageError, also when another program holds the database, which is not waited for here.
 */
export function openData(dataDir: string, now: Date, say?: Say): OpenedData {
  const path = join(dataDir, 'assay.db')
  requireDatabase(dataDir)
  let db: Database | undefined
  try {
    const opened = openDatabase(path, { waitMs: 0 })
    db = opened
    return opened.withoutWaiting(() => {
      // The first write would wait for it in silence.
      opened.transaction(() => undefined)
      // A clean stop takes service.json away.
      if (readServiceFile(dataDir)) requireSound(opened)
      const migrated = bringUpToDate(opened, dataDir, now, say)
      markDatabase(dataDir, now)
      return { db: opened, migrated }
    })
  } catch (error) {
    db?.close()
    if (!(error instanceof PagesError) && !isDamage(error)) throw error
    const reason = error instanceof StorageError ? error.reason : error.message
    throw new DamagedDatabaseError(`The database ${path} is damaged (${reason}). ${advice(dataDir)}`, { cause: error })
  }
}

function bringUpToDate(db: Database, dataDir: string, now: Date, say?: Say): ReturnType<typeof migrate> {
  try {
    return migrate(db, now, say)
  } finally {
    tidyUpdateCopies(dataDir)
  }
}

class PagesError extends Error {}

function requireSound(db: Database): void {
  const fault = quickCheck(db)
  if (fault !== null) throw new PagesError(fault)
}

function advice(dataDir: string): string {
  const [newest] = listBackupFiles(dataDir)
  if (!newest) return 'Nothing was changed. There is no backup; copy the whole folder before anything else is tried.'
  return `Nothing was changed. The newest backup is of ${newest.created_at}: "${commandLine('restore', `--data-dir ${quoted(resolve(dataDir), process.platform)} --backup newest`)}" goes back to it and keeps the damaged files.`
}
