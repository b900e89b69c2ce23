import type { Database } from '../../storage/database.ts'
import { writeSetting } from '../../storage/settings.ts'

/** What a quick look at every page finds first; null when all is well. */
export function quickCheck(db: Database): string | null {
  const verdict = String(db.prepare('pragma quick_check(1)').pluck().get())
  return verdict === 'ok' ? null : verdict
}

/** The smallest write that has to reach the disk. @throws whatever keeps it from there */
export function touchDatabase(db: Database, now: string): void {
  writeSetting(db, 'storage_probe', now)
}
