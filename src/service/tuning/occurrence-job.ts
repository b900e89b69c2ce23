import { isTerminal } from '../../contract/machine.ts'
import { tuneOccurrenceMachine } from '../../contract/tuning/monitor.machine.ts'
import { holdFor } from '../../engine/clients/pricing/pricing.ts'
import { transition } from '../../storage/transition.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { isEntitled, startWork } from '../spending/index.ts'
import { createBenchmarkRunner } from './run-benchmark.ts'
import { createWorkloadGrader } from './grade-workload.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { findMonitorByNo, type MonitorRow, requestOf, spentIn, renewLastVerdict } from './monitors.store.ts'
import { monthOf } from './next-schedule.ts'
import { changeOccurrence, findOccurrence, isSuperseded, type OccurrenceRow } from './occurrences.store.ts'
import { leastWork, OccurrenceInput, Skip, skipOf, type Work } from './occurrence-work.ts'
import { forgetOutputs } from './outputs.store.ts'

const column = { table: 'tune_occurrences', column: 'status' } as const
export function registerOccurrenceJob(kernel: Kernel, jobs: Jobs, dependencies: MonitorsDependencies): void {
  const { db, clock } = kernel
  const { evaluators, quotes, runs } = dependencies
  const benchmark = createBenchmarkRunner(kernel, dependencies)
  const workload = createWorkloadGrader(kernel, dependencies)

  const present = ({ occurrence_id: id }: OccurrenceInput): { occurrence: OccurrenceRow; monitor: MonitorRow } => {
    const occurrence = findOccurrence(db, id)
    const monitor = occurrence && findMonitorByNo(db, occurrence.monitor_no)
    if (!occurrence || !monitor) throw new Error(`The occurrence ${id} is gone.`)
    return { occurrence, monitor }
  }
  /** Only before it has begun. @throws Skip, ApiError why it is not done at all */
  const requireStart = (occurrence: OccurrenceRow, monitor: MonitorRow, { owner }: JobContext<OccurrenceInput>): void => {
    if (monitor.status !== 'active') throw new Skip('paused')
    // Who takes away the key that made a monitor stops it, whoever sends the event.
    if (!isEntitled(db, monitor.workspace_id, monitor.owner_id, timestamp(clock))) throw new Skip('unauthorized')
    if (isSuperseded(db, occurrence)) throw new Skip('superseded')
    // Its limits may have been lowered since; nothing is quoted for who may spend nothing.
    const payerId = owner.kind === 'service' ? '' : owner.id
    startWork(db, payerId, leastWork(quotes, monitor, occurrence.kind), timestamp(clock), () => undefined)
  }
  /** Micro-USD of the month's limit. */
  const leftOf = (monitor: MonitorRow): bigint => {
    const left = BigInt(requestOf(monitor).max_monthly_microusd) - spentIn(db, monitor, monthOf(timestamp(clock)))
    return left < 0n ? 0n : left
  }
  const capOf = (monitor: MonitorRow): bigint => holdFor(BigInt(requestOf(monitor).max_charge_microusd), leftOf(monitor))
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
          if (held > leftOf(monitor)) throw new Skip('cap_reached')
          const now = timestamp(clock)
          transition(db, tuneOccurrenceMachine, column, occurrence.id, 'begin', now)
          changeOccurrence(db, occurrence.id, { month: monthOf(now), held_microusd: Number(held) })
          begun = true
        }),
    }
  }
  const skip = ({ id, no }: OccurrenceRow, { reason, sentence }: Skip): void => {
    const now = timestamp(clock)
    transition(db, tuneOccurrenceMachine, column, id, 'skip', now, reason)
    forgetOutputs(db, no)
    changeOccurrence(db, id, { skip_reason: reason, reason: sentence, finished_at: now })
  }

  jobs.register<OccurrenceInput>({
    kind: 'tune_occurrence',
    input: OccurrenceInput,
    lane: 'monitors',
    concurrency: 4,
    run: async job => {
      const { occurrence, monitor } = present(job.input)
      if (isTerminal(tuneOccurrenceMachine, occurrence.status)) return
      try {
        if (occurrence.status === 'accepted') requireStart(occurrence, monitor, job)
        const conclude = await (occurrence.kind === 'event' ? benchmark : workload).execute(work(job, occurrence, monitor))
        return () => {
          const { verdict, changes } = conclude()
          const now = timestamp(clock)
          transition(db, tuneOccurrenceMachine, column, occurrence.id, 'complete', now)
          changeOccurrence(db, occurrence.id, { ...changes, verdict, finished_at: now })
          if (verdict !== null) renewLastVerdict(db, monitor.no)
        }
      } catch (error) {
        // What has begun may have been sent to a provider, so it fails instead; a `begin` whose submit was refused is taken back with it.
        const skipped = present(job.input).occurrence.status === 'accepted' ? skipOf(error) : null
        if (skipped === null) throw error
        return () => skip(occurrence, skipped)
      }
    },
    pause: ({ input }) => {
      const { occurrence, monitor } = present(input)
      return evaluators.pause({ kind: 'occurrence', id: occurrence.id }) ?? runs.gated.pause(monitor.workspace_id, [occurrence.run_id])
    },
    stored: ({ input }) => {
      const { occurrence, monitor } = present(input)
      const ended = occurrence.run_id === null ? 0 : (runs.gated.state(monitor.workspace_id, occurrence.run_id)?.ended ?? 0)
      return ended + evaluators.outputs.stored({ kind: 'occurrence', id: occurrence.id })
    },
    ended: ({ input, owner }, { code, message }) => {
      const { occurrence, monitor } = present(input)
      if (isTerminal(tuneOccurrenceMachine, occurrence.status)) return
      const now = timestamp(clock)
      const spent = occurrence.kind === 'event' ? benchmark.stop(occurrence, monitor) : workload.stop(occurrence, monitor, owner)
      transition(db, tuneOccurrenceMachine, column, occurrence.id, 'fail', now, code)
      changeOccurrence(db, occurrence.id, { failure_code: code, failure_message: message, ...spent, finished_at: now })
    },
  })
}
