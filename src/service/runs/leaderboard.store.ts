import { sql } from 'kysely'
import type { Database } from '../../storage/database.ts'

/** The metrics of a result as JSON, without its breakdowns and distributions. */
export function findMetrics(db: Database, runNo: number, version: number): string | null {
  const row = db.first(
    db.sql
      .selectFrom('results')
      .select(sql<string>`json_extract(record, '$.metrics')`.as('metrics'))
      .where('run_no', '=', runNo)
      .where('version', '=', version),
  )
  return row?.metrics ?? null
}
