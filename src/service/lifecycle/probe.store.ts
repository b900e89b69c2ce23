import type { Database } from '../../storage/database.ts'
import { writeSetting } from '../../storage/settings.ts'

/** The smallest write that has to reach the disk. @throws whatever keeps it from there */
export function touchDatabase(db: Database, now: string): void {
  writeSetting(db, 'storage_probe', now)
}
