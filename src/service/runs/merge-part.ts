import { setImmediate as nextTurn } from 'node:timers/promises'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { hasScores, mergeSome } from './merge-part.store.ts'
import { markMerged } from './parts.store.ts'
import { type MetricPresenter, presentProfiles } from './present-profiles.ts'
import { profilesOf } from './run-record.ts'
import { presentRun, resultFrame } from './result-frame.ts'
import { countsOf, insertResult, markNewVersion, type RunRow } from './runs.store.ts'

/** What ending a run takes. */
export interface FinishDependencies {
  readonly workers: Pick<Workers, 'results'>
  readonly evaluators: MetricPresenter
  /** The service stops: what is not done yet is done at the next start. */
  readonly signal: AbortSignal
}

/** Samples taken over in one transaction: a few milliseconds' worth. */
const mergeBatch = 250

/**
 * Gives a part's scores to the run it belongs to, as that run's next result version. Until the last transaction nothing shows, and a stop
 * before it does it all again to the same end.
 * @param settlePart ends the part itself, in that last transaction
 */
export async function mergePart(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  { workers, evaluators, signal }: FinishDependencies,
  partNo: number,
  runNo: number,
  settlePart: () => void,
): Promise<void> {
  const { db, clock } = kernel
  const run = presentRun(kernel, runNo)
  if (!hasScores(db, partNo)) {
    db.transaction(settlePart)
    return
  }
  const version = (run.result_version ?? 0) + 1
  for (let after: number | null = -1; after !== null; await nextTurn()) {
    signal.throwIfAborted()
    after = mergeSome(db, { partNo, runNo, version }, after, mergeBatch)
  }
  const counts = countsOf(db, runNo)
  const event = eventAfter(run, counts.get('scored') ?? 0)
  const createdAt = timestamp(clock)
  const status = event ? runMachine.events[event].to : run.status
  const profiles = presentProfiles(kernel, evaluators, run, profilesOf(run))
  const results = await workers.results({ runNo, frame: resultFrame(kernel, run, { version, status, createdAt, profiles }) }, signal)
  db.transaction(() => {
    insertResult(db, runNo, version, results, createdAt)
    markNewVersion(db, runNo, version)
    markMerged(db, partNo, version)
    if (event) transition(db, runMachine, { table: 'runs', column: 'status' }, run.id, event, createdAt)
    settlePart()
  })
}

/** Null where the run stays what it is. */
function eventAfter(run: RunRow, scored: number): 'part_completes' | 'part_adds' | null {
  if (run.status === 'complete') return null
  if (scored === run.frozen) return 'part_completes'
  return run.status === 'partial' ? null : 'part_adds'
}
