import { BackupSchedule } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'

const name = 'backups'

/** Once a day, a week of them, unless somebody chose otherwise. */
const usual: BackupSchedule = { every: 'daily', keep: 7 }

export function readSchedule(db: Database): BackupSchedule {
  const row = db.first(db.sql.selectFrom('settings').select('value').where('name', '=', name))
  return row ? BackupSchedule.parse(JSON.parse(row.value)) : usual
}

export function writeSchedule(db: Database, schedule: BackupSchedule): void {
  const value = JSON.stringify(schedule)
  db.run(
    db.sql
      .insertInto('settings')
      .values({ name, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value })),
  )
}
