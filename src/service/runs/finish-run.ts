import { accountingMachine, runMachine } from '../../contract/runs/run.machine.ts'
import { restOfHold } from '../../engine/clients/pricing/pricing.ts'
import type { RunEnd } from '../../engine/execution/scheduler/ports.ts'
import { firstVersion } from '../../storage/runs/run-writes.ts'
import { transition } from '../../storage/transition.ts'
import { releaseRest } from '../billing/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type FinishDependencies, mergePart } from './merge-part.ts'
import { presentProfiles } from './present-profiles.ts'
import { profilesOf } from './run-record.ts'
import { presentRun, resultFrame } from './result-frame.ts'
import { countsOf, insertResult, markFinished, markStopped } from './runs.store.ts'

const status = { table: 'runs', column: 'status' } as const
const accounting = { table: 'runs', column: 'accounting_state' } as const

type FinalEvent = 'complete' | 'finish_partial' | 'fail' | 'finish_cancel'

/** Settles a run whose samples have all ended: statistics in a worker, then result, status and money in one transaction. */
export async function finishRun(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  dependencies: FinishDependencies,
  runNo: number,
  end: Exclude<RunEnd, { kind: 'suspended' }>,
): Promise<void> {
  const { db, clock } = kernel
  const { workers, evaluators, signal } = dependencies
  if (end.kind === 'stopped') db.transaction(() => markStopped(db, runNo, end.reason))
  const { part_of: partOf } = presentRun(kernel, runNo)
  const finishedAt = timestamp(clock)
  if (partOf !== null) {
    await mergePart(kernel, dependencies, runNo, partOf, () => settle(kernel, runNo, finalEvent(kernel, runNo), finishedAt, null))
    return
  }
  for (let isSettled = false; !isSettled; ) {
    const row = presentRun(kernel, runNo)
    const event = finalEvent(kernel, runNo)
    const frame = resultFrame(kernel, row, {
      version: firstVersion,
      status: runMachine.events[event].to,
      createdAt: finishedAt,
      profiles: presentProfiles(kernel, evaluators, row, profilesOf(row)),
    })
    const results = await workers.results({ runNo, frame }, signal)
    isSettled = db.transaction(() => {
      // Cancelled while the statistics were made: they have to say so.
      if (finalEvent(kernel, runNo) !== event) return false
      insertResult(db, runNo, firstVersion, results, finishedAt)
      settle(kernel, runNo, event, finishedAt, firstVersion)
      return true
    })
  }
}

/** The end of a run's own life, in the caller's transaction. */
function settle(kernel: Pick<Kernel, 'db'>, no: number, event: FinalEvent, finishedAt: string, resultVersion: number | null): void {
  const { db } = kernel
  // Reread: the cap may have been raised, and more set aside, while the statistics were made.
  const row = presentRun(kernel, no)
  markFinished(db, no, finishedAt, resultVersion)
  transition(db, runMachine, status, row.id, event, finishedAt, row.stop_code)
  // Nothing was ever held for answers that were imported.
  if (row.accounting_state === 'none') return
  const { held_microusd: held, charged_microusd: charged } = row
  releaseRest(db, { workspaceId: row.workspace_id, runId: row.id, amount: restOfHold(BigInt(held), BigInt(charged)), at: finishedAt })
  transition(db, accountingMachine, accounting, row.id, 'settle', finishedAt)
}

/** `complete` when every frozen sample has a score, `failed` when none has, `partial` between. */
function finalEvent(kernel: Pick<Kernel, 'db'>, runNo: number): FinalEvent {
  const { status, frozen } = presentRun(kernel, runNo)
  if (status === 'cancelling') return 'finish_cancel'
  const scored = countsOf(kernel.db, runNo).get('scored') ?? 0
  return scored === frozen ? 'complete' : scored === 0 ? 'fail' : 'finish_partial'
}
