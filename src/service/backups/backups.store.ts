import { z } from 'zod'
import { Backup, Backups, BackupSchedule } from '../../contract/backups/backups.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { readSetting, writeSetting } from '../../storage/settings.ts'

/** Default: daily, seven kept. */
const usual: BackupSchedule = { every: 'daily', keep: 7 }

/** When a backup was last examined, and what was wrong, by its name. */
const Checks = z.record(
  z.string(),
  z.object({ at: z.string(), fault: z.string().nullable(), proof: Backup.shape.proof.default('missing') }),
)
export type Checks = z.infer<typeof Checks>

export type LastRestore = NonNullable<Backups['last_restore']>

export function readSchedule(db: Database): BackupSchedule {
  return BackupSchedule.parse(readSetting(db, 'backups') ?? usual)
}

export function writeSchedule(db: Database, schedule: BackupSchedule): void {
  writeSetting(db, 'backups', schedule)
}

export function readChecks(db: Database): Checks {
  return Checks.parse(readSetting(db, 'backup_checks') ?? {})
}

export function writeChecks(db: Database, checks: Checks): void {
  writeSetting(db, 'backup_checks', checks)
}

export function readLastRestore(db: Database): LastRestore | null {
  return Backups.shape.last_restore.parse(readSetting(db, 'last_restore') ?? null)
}

/** A backup of the very first versions has none until it is migrated. */
export function hasSettings(db: Database): boolean {
  return db.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'settings'`).get() !== undefined
}

export function writeLastRestore(db: Database, restore: LastRestore): void {
  writeSetting(db, 'last_restore', restore)
}
