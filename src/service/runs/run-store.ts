import type { MetricPlan, RunStore } from '../../engine/execution/scheduler/ports.ts'
import { isBusy } from '../../storage/busy.ts'
import { prepareStatements } from '../../storage/runs/execution-statements.store.ts'
import type { RunWriterThread } from '../../workers/run-writer.ts'
import type { Kernel } from '../kernel.ts'
import type { CallLog } from './call-log.ts'
import { toWrites } from './run-writes.ts'
import { createStoredAnswers } from './stored-answers.store.ts'

/**
 * The scheduler's store: what is written goes to the thread that stores runs, what is read comes from this connection.
 * @param metricsOf a run that is being executed, by profile number
 */
export function createRunStore(
  { db, clock, storage }: Pick<Kernel, 'db' | 'clock' | 'storage'>,
  calls: CallLog,
  writer: RunWriterThread,
  metricsOf: (runNo: number) => readonly (readonly MetricPlan[])[],
): RunStore {
  const now = () => clock.now().getTime()
  const answers = createStoredAnswers(db, prepareStatements(db))
  return {
    recover: async runNo => {
      await writer.recover(runNo, calls.begun(runNo), now())
      calls.forget(runNo)
    },
    begin: (runNo, { position, fence }, attempt) => calls.begin(runNo, { position, fence, attempt }, now()),
    fill: writer.fill,
    commit: async (runNo, commit) => {
      const claimed = await writer.commit(runNo, toWrites(commit, metricsOf(runNo), now()))
      for (const { sample } of commit.attempts) calls.ended(runNo, sample.position)
      return claimed
    },
    ungraded: answers.ungraded,
    endPending: writer.endPending,
    cached: answers.cached,
    saveRunningTime: writer.saveRunningTime,
    passes: error => storage.note(error) !== null || isBusy(error),
  }
}
