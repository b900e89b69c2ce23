import type { SampleStatus } from '../../contract/runs/run.machine.ts'
import { sampleMachine } from '../../contract/runs/sample.machine.ts'
import type { Database } from '../../storage/database.ts'
import { prepareStatements } from '../../storage/runs/execution-statements.store.ts'
import { move, noSums, writeSums } from '../../storage/runs/run-sums.store.ts'

/** Every sample that has not ended ends as cancelled, in the caller's transaction; those that were not made yet are counted so. */
export function cancelSamples(db: Database, runNo: number, at: number): void {
  const { from, to } = sampleMachine.events.abandon
  const open: readonly SampleStatus[] = from
  db.run(db.sql.updateTable('samples').set({ status: to, finished_at: at }).where('run_no', '=', runNo).where('status', 'in', open))
  const sums = noSums()
  for (const { status, n } of db.all(db.sql.selectFrom('run_counts').select(['status', 'n']).where('run_no', '=', runNo)))
    if (open.includes(status)) move(sums, status, to, n)
  writeSums(prepareStatements(db), runNo, sums)
}
