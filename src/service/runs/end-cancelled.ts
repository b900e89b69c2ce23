import { accountingMachine, runMachine } from '../../contract/runs/run.machine.ts'
import { transition } from '../../storage/transition.ts'
import { releaseRest } from '../billing/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { cancelSamples } from './cancel-samples.store.ts'
import { presentRun } from './result-frame.ts'
import { markFinished } from './runs.store.ts'

/**
 * Ends a cancelled run that cannot be executed, without a result: its samples, its status and its money in one transaction. The last
 * resort, so that a run can always be cancelled.
 */
export function endCancelled(kernel: Kernel, runNo: number): void {
  const { db, clock } = kernel
  const at = timestamp(clock)
  db.transaction(() => {
    const row = presentRun(kernel, runNo)
    cancelSamples(db, runNo, clock.now().getTime())
    markFinished(db, runNo, at, null)
    transition(db, runMachine, { table: 'runs', column: 'status' }, row.id, 'finish_cancel', at, row.pause_code)
    const unspent = BigInt(row.held_microusd) - BigInt(row.charged_microusd)
    releaseRest(db, { workspaceId: row.workspace_id, runId: row.id, amount: unspent, at })
    transition(db, accountingMachine, { table: 'runs', column: 'accounting_state' }, row.id, 'settle', at)
  })
}
