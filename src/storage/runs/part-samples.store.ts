import { sampleMachine } from '../../contract/runs/sample.machine.ts'
import type { Database } from '../database.ts'

/** Statuses of samples that a part can give a score to. */
export const withoutScore = ['failed', 'missing', 'cancelled'] as const

/**
 * Puts a run's samples of these places into a part of it, to be asked, in the caller's transaction. Places keep their numbers, and
 * attempts keep being counted, so that the parts of a run read as one. Answers how many places were new to the part.
 */
export function copyIntoPart(db: Database, partNo: number, runNo: number, positions: readonly number[]): number {
  const copy = db.prepare(
    `insert or ignore into samples (run_no, position, profile_no, task_no, epoch, status, attempts)
     select ?, position, profile_no, task_no, epoch, '${sampleMachine.initial}', attempts from samples where run_no = ? and position = ?`,
  )
  return positions.reduce((sum, position) => sum + copy.run(partNo, runNo, position).changes, 0)
}
