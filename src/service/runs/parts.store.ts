import type { Database } from '../../storage/database.ts'

export type PartRow = ReturnType<typeof partsOf>[number]

/** The parts of a run, oldest first. */
export function partsOf(db: Database, runNo: number) {
  return db.all(
    db.sql
      .selectFrom('runs')
      .select([
        'id',
        'status',
        'part_asks',
        'frozen',
        'merged_version',
        'created_at',
        'started_at',
        'finished_at',
        'charged_microusd',
        'held_microusd',
        'accounting_state',
      ])
      .select(['billed_microusd', 'unknown_calls', 'cached', 'retries'])
      .where('part_of', '=', runNo)
      .orderBy('no'),
  )
}

export function hasOpenPart(db: Database, runNo: number): boolean {
  return (
    db.first(
      db.sql.selectFrom('runs').select('no').where('part_of', '=', runNo).where('status', 'in', ['queued', 'running', 'cancelling']),
    ) !== undefined
  )
}

export function markMerged(db: Database, partNo: number, version: number): void {
  db.run(db.sql.updateTable('runs').set({ merged_version: version }).where('no', '=', partNo))
}
