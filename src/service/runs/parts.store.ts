import { sampleMachine } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'

/** Statuses of samples that a part can give a score to. */
export const withoutScore = ['failed', 'missing', 'cancelled'] as const

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

/**
 * Puts a run's samples of these places into a part of it, to be asked, in the caller's transaction. Places keep their numbers, and
 * attempts go on being counted, so that the parts of a run read as one. Answers how many places were new to the part.
 */
export function copyIntoPart(db: Database, partNo: number, runNo: number, positions: readonly number[]): number {
  const copy = db.prepare(
    `insert or ignore into samples (run_no, position, profile_no, task_no, epoch, status, attempts)
     select ?, position, profile_no, task_no, epoch, '${sampleMachine.initial}', attempts from samples where run_no = ? and position = ?`,
  )
  return positions.reduce((sum, position) => sum + copy.run(partNo, runNo, position).changes, 0)
}

export function markMerged(db: Database, partNo: number, version: number): void {
  db.run(db.sql.updateTable('runs').set({ merged_version: version }).where('no', '=', partNo))
}
