import type { Database } from '../../storage/database.ts'

/** The smallest write that has to reach the disk. @throws whatever keeps it from there */
export function touchDatabase(db: Database, now: string): void {
  const value = JSON.stringify(now)
  db.run(
    db.sql
      .insertInto('settings')
      .values({ name: 'storage_probe', value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value })),
  )
}
