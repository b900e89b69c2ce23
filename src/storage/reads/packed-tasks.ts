import type { Database } from '../database.ts'

/** The aligned tasks of a comparison, packed. @throws Error when there is no such comparison */
export function packedTasks(db: Database, comparisonId: string): Uint8Array {
  const row = db.first(db.sql.selectFrom('comparisons').select('tasks').where('id', '=', comparisonId))
  if (!row) throw new Error(`The comparison ${comparisonId} is gone.`)
  return row.tasks
}
