import type { Database } from '../../storage/database.ts'
import { numbersIn } from '../../storage/numbers-in.ts'

export type PartRow = ReturnType<typeof partRows>[number]

/** The parts of a run, oldest first. */
export function partsOf(db: Database, runNo: number): PartRow[] {
  return partsOfRuns(db, [runNo]).get(runNo) ?? []
}

/** The parts of runs, oldest first, by the run. */
export function partsOfRuns(db: Database, runNos: readonly number[]): Map<number, PartRow[]> {
  return Map.groupBy(partRows(db, runNos), part => Number(part.part_of))
}

function partRows(db: Database, runNos: readonly number[]) {
  return db.all(
    db.sql
      .selectFrom('runs')
      .select([
        'part_of',
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
      .select(['billed_microusd', 'uncertain_microusd', 'unknown_calls', 'cached', 'retries'])
      .where('part_of', 'in', numbersIn(runNos))
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
