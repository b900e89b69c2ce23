import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../storage/database.ts'
import { migrations } from '../../storage/migrations/migrations.ts'
import { verifyCopy } from '../../storage/verify-copy.ts'
import { lockDataFolder } from '../lifecycle/data-folder.ts'
import { backupFolder, listBackupFiles } from './backup-files.ts'

export interface Restored {
  readonly backup: string
  /** Folder that the database in use until now was moved to; null where there was none. */
  readonly replaced: string | null
}

/**
 * Puts a backup in the place of the database. The backup is verified first, and what is replaced is kept, its log beside it.
 * @param name of a backup, or `newest`
 * @throws Error when a service runs on the folder, or the backup is absent, damaged or of a newer Assay. Nothing was changed then.
 */
export function restoreBackup(dataDir: string, name: string, now: Date): Restored {
  const lock = lockDataFolder(dataDir)
  try {
    const known = listBackupFiles(dataDir)
    const chosen = name === 'newest' ? known[0] : known.find(backup => backup.name === name)
    if (!chosen) throw new Error(`There is no backup "${name}" in ${backupFolder(dataDir)}.`)
    const database = join(dataDir, 'assay.db')
    const partial = `${database}.restoring`
    rmSync(partial, { force: true })
    try {
      copyFileSync(join(backupFolder(dataDir), chosen.name), partial, constants.COPYFILE_FICLONE)
      demandUsable(partial, chosen.name)
      const replaced = setAside(dataDir, database, now)
      renameSync(partial, database)
      return { backup: chosen.name, replaced }
    } finally {
      rmSync(partial, { force: true })
    }
  } finally {
    lock.release()
  }
}

function demandUsable(path: string, name: string): void {
  const fault = verifyCopy(path)
  if (fault !== null) throw new Error(`The backup ${name} is not sound (${fault}). Nothing was changed; choose another.`)
  const copy = openDatabase(path, { readonly: true })
  const version = Number(copy.prepare('pragma user_version').pluck().get())
  copy.close()
  if (version > migrations.length)
    throw new Error(
      `The backup ${name} was made by a newer Assay (schema ${version}). Nothing was changed; update Assay or choose another.`,
    )
}

/** The database and its log belong together: one without the other is another database. */
function setAside(dataDir: string, database: string, now: Date): string | null {
  const present = ['', '-wal', '-shm'].map(suffix => `${database}${suffix}`).filter(path => existsSync(path))
  if (present.length === 0) return null
  const folder = join(dataDir, `replaced-${now.toISOString().replaceAll(':', '-')}`)
  mkdirSync(folder, { mode: 0o700 })
  for (const path of present) renameSync(path, join(folder, path.slice(dataDir.length + 1)))
  return folder
}
