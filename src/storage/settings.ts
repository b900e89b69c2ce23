import type { Database } from './database.ts'

/** What is kept under a name, by the feature whose name it is; undefined where nothing is. */
export function readSetting(db: Database, name: string): unknown {
  const row = db.first(db.sql.selectFrom('settings').select('value').where('name', '=', name))
  return row === undefined ? undefined : JSON.parse(row.value)
}

export function writeSetting(db: Database, name: string, content: unknown): void {
  const value = JSON.stringify(content)
  db.run(
    db.sql
      .insertInto('settings')
      .values({ name, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value })),
  )
}
