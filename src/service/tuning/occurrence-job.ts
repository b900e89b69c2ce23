import { isTerminal, tuneOccurrenceMachine } from '../../contract/index.ts'
import { transition } from '../../storage/transition.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { createBenchmarkRunner } from './run-benchmark.ts'
import { createWorkloadGrader } from './grade-workload.ts'
import { mayAct } from './may-act.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { findMonitorByNo, type MonitorRow, requestOf, spentIn, storeVerdict } from './monitors.store.ts'
import { monthOf } from './next-schedule.ts'
import { changeOccurrence, findOccurrence, isSuperseded, type OccurrenceRow } from './occurrences.store.ts'
import { OccurrenceInput, Skip, type SkipReason, type Work } from './occurrence-work.ts'
import { forgetOutputs } from './outputs.store.ts'

const column = { table: 'tune_occurrences', column: 'status' } as const
export function registerOccurrenceJob(kernel: Kernel, jobs: Jobs, dependencies: MonitorsDependencies): void {
  const { db, clock } = kernel
  const benchmark = createBenchmarkRunner(kernel, dependencies)
  const workload = createWorkloadGrader(kernel, dependencies)

  const present = ({ occurrence_id: id }: OccurrenceInput): { occurrence: OccurrenceRow; monitor: MonitorRow } => {
    const occurrence = findOccurrence(db, id)
    const monitor = occurrence && findMonitorByNo(db, occurrence.monitor_no)
    if (!occurrence || !monitor) throw new Error(`The occurrence ${id} is gone.`)
    return { occurrence, monitor }
  }
  /** Why it is not done at all; only before it has begun. */
  const obstacle = (occurrence: OccurrenceRow, monitor: MonitorRow): SkipReason | null => {
    if (monitor.status !== 'active') return 'paused'
    if (!mayAct(kernel, monitor)) return 'unauthorized'
    return isSuperseded(db, occurrence) ? 'superseded' : null
  }
  const capOf = (monitor: MonitorRow): bigint => {
    const { max_charge_microusd: once, max_monthly_microusd: monthly } = requestOf(monitor)
    const left = BigInt(monthly) - spentIn(db, monitor.no, monthOf(timestamp(clock)))
    const cap = BigInt(once)
    if (left < 0n) return 0n
    return left < cap ? left : cap
  }
  const work = (job: JobContext<OccurrenceInput>, occurrence: OccurrenceRow, monitor: MonitorRow): Work => {
    let begun = occurrence.status !== 'accepted'
    return {
      job,
      occurrence,
      monitor,
      cap: begun ? BigInt(occurrence.held_microusd) : capOf(monitor),
      begin: (held, write) =>
        job.commit(() => {
          write?.()
          if (begun) return
          // Another occurrence of the monitor may have begun since the cap was read.
          if (held > capOf(monitor)) throw new Skip('cap_reached')
          const now = timestamp(clock)
          transition(db, tuneOccurrenceMachine, column, occurrence.id, 'begin', now)
          changeOccurrence(db, occurrence.id, { month: monthOf(now), held_microusd: Number(held) })
          begun = true
        }),
    }
  }
  const skip = ({ id, no }: OccurrenceRow, reason: SkipReason): void => {
    const now = timestamp(clock)
    transition(db, tuneOccurrenceMachine, column, id, 'skip', now, reason)
    forgetOutputs(db, no)
    changeOccurrence(db, id, { skip_reason: reason, finished_at: now })
  }

  jobs.register<OccurrenceInput>({
    kind: 'tune_occurrence',
    input: OccurrenceInput,
    lane: 'monitors',
    concurrency: 4,
    run: async job => {
      const { occurrence, monitor } = present(job.input)
      if (isTerminal(tuneOccurrenceMachine, occurrence.status)) return
      const reason = occurrence.status === 'accepted' ? obstacle(occurrence, monitor) : null
      if (reason !== null) return () => skip(occurrence, reason)
      try {
        const conclude = await (occurrence.kind === 'event' ? benchmark : workload).execute(work(job, occurrence, monitor))
        return () => {
          const { verdict, changes } = conclude()
          const now = timestamp(clock)
          transition(db, tuneOccurrenceMachine, column, occurrence.id, 'complete', now)
          changeOccurrence(db, occurrence.id, { ...changes, verdict, finished_at: now })
          if (verdict !== null) storeVerdict(db, monitor.no, verdict)
        }
      } catch (error) {
        if (error instanceof Skip) return () => skip(occurrence, error.reason)
        throw error
      }
    },
    ended: ({ input }, { code, message }) => {
      const { occurrence, monitor } = present(input)
      if (isTerminal(tuneOccurrenceMachine, occurrence.status)) return
      const now = timestamp(clock)
      const spent = occurrence.kind === 'event' ? benchmark.stop(occurrence, monitor) : workload.stop(occurrence, monitor)
      transition(db, tuneOccurrenceMachine, column, occurrence.id, 'fail', now, code)
      changeOccurrence(db, occurrence.id, { failure_code: code, failure_message: message, spent_microusd: Number(spent), finished_at: now })
    },
  })
}
