import { guarded } from '../../lib/guarded.ts'
import {
  allows,
  ApiError,
  illegalTransition,
  invalidField,
  type NewTuneMonitor,
  notFound,
  type TuneMonitor,
  type TuneMonitorEvent,
  type TuneMonitorStatus,
  type TuneOccurrence,
  type TuneOccurrenceAccepted,
  tuneMonitorMachine,
  type TuneWorkload,
} from '../../contract/index.ts'
import { transition } from '../../storage/transition.ts'
import type { Principal } from '../auth/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findIntegration, missingTrace } from '../traces/index.ts'
import { sentOutputs } from './grade-workload.ts'
import { dueMonitors, findMonitor, listMonitors, type MonitorRow, type PageQuery, setNextRun, toMonitor } from './monitors.store.ts'
import { monitorCreator } from './new-monitor.ts'
import { nextSchedule } from './next-schedule.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { registerOccurrenceJob } from './occurrence-job.ts'
import type { OccurrenceInput } from './occurrence-work.ts'
import { changeOccurrence, findByKey, insertOccurrence, listOccurrences, nthLatestEvent } from './occurrences.store.ts'
import { insertOutputs } from './outputs.store.ts'

/** Events of a monitor within a minute. */
const eventsPerMinute = 60
const minuteMs = 60_000
/** Between looks for schedules that are due. */
const scheduleLookMs = 5_000

export type TuneMonitors = ReturnType<typeof createTuneMonitors>

export function createTuneMonitors(kernel: Kernel, dependencies: MonitorsDependencies) {
  const { db, ids, clock } = kernel
  const { jobs } = dependencies
  const createMonitor = monitorCreator(kernel, dependencies)
  let timer: NodeJS.Timeout | undefined
  registerOccurrenceJob(kernel, jobs, dependencies)

  const rowOf = (workspaceId: string, id: string): MonitorRow => {
    const row = findMonitor(db, workspaceId, id)
    if (!row) throw notFound('monitor', id)
    return row
  }
  const view = (row: MonitorRow): TuneMonitor => toMonitor(db, row, timestamp(clock))

  const accept = (
    monitor: MonitorRow,
    kind: TuneOccurrence['kind'],
    trigger: TuneOccurrence['trigger'],
    workload: TuneWorkload | null,
  ): TuneOccurrenceAccepted => {
    const id = ids.next()
    const input: OccurrenceInput = { occurrence_id: id }
    const jobId = jobs.enqueue('tune_occurrence', {
      workspaceId: monitor.workspace_id,
      owner: { kind: monitor.owner_kind, id: monitor.owner_id },
      input,
      subject: { type: 'tune_occurrence', id },
    })
    const now = timestamp(clock)
    const source = workload === null || 'outputs' in workload ? null : workload
    const no = insertOccurrence(db, { id, monitorNo: monitor.no, kind, trigger, source, jobId, createdAt: now })
    if (workload !== null && 'outputs' in workload)
      changeOccurrence(db, id, { duplicates: insertOutputs(db, monitor.no, no, sentOutputs(workload, now)) })
    return { occurrence_id: id, status: 'accepted', duplicate: false }
  }
  /** @throws ApiError rate_limited */
  const requirePace = ({ no, name }: MonitorRow): void => {
    const filledBy = nthLatestEvent(db, no, eventsPerMinute)
    const wait = filledBy === null ? 0 : Date.parse(filledBy) + minuteMs - clock.now().getTime()
    if (wait <= 0) return
    const seconds = Math.ceil(wait / 1000)
    throw new ApiError(
      'rate_limited',
      `The monitor "${name}" received ${eventsPerMinute} events within the last minute, which is the limit. Try again in ${seconds} seconds.`,
      { headers: { 'retry-after': String(seconds) } },
    )
  }
  /** @throws ApiError not_found for traces, or an integration, that the workspace does not have */
  const requireSource = (workspaceId: string, workload: TuneWorkload): void => {
    if ('integration_id' in workload) {
      const id = workload.integration_id.toLowerCase()
      if (findIntegration(db, id)?.workspaceId !== workspaceId) throw notFound('integration', id)
    }
    if (!('trace_ids' in workload)) return
    const ids = workload.trace_ids.map(id => id.toLowerCase())
    const missing = missingTrace(db, workspaceId, ids)
    if (missing !== null) throw notFound('trace', missing)
  }
  const requireLive = ({ id, status }: MonitorRow, what: string): void => {
    if (status === 'archived') throw illegalTransition('monitor', id, status, what)
  }
  const plain = { key: null, model: null, ref: null, note: null }

  /** What was missed while the service did not run happens once. */
  const followSchedules = () => {
    const now = timestamp(clock)
    for (const monitor of dueMonitors(db, now)) {
      if (monitor.schedule === null) continue
      const { schedule, next_run_at: due } = monitor
      db.transaction(() => {
        accept(monitor, 'event', { ...plain, type: 'schedule', occurred_at: due ?? now }, null)
        setNextRun(db, monitor.no, nextSchedule(monitor.created_at, schedule, now))
      })
    }
  }

  return {
    create: (workspaceId: string, principal: Principal, body: NewTuneMonitor): TuneMonitor =>
      view(rowOf(workspaceId, createMonitor(workspaceId, principal, body))),
    list: (workspaceId: string, query: PageQuery) => listMonitors(db, workspaceId, query, timestamp(clock)),
    patch: (workspaceId: string, id: string, status: TuneMonitorStatus): TuneMonitor =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        const now = timestamp(clock)
        const event = eventTo(status)
        if (!allows(tuneMonitorMachine, row.status, event)) throw illegalTransition('monitor', row.id, row.status, event)
        transition(db, tuneMonitorMachine, { table: 'tune_monitors', column: 'status' }, row.id, event, now)
        setNextRun(db, row.no, status === 'active' && row.schedule !== null ? nextSchedule(row.created_at, row.schedule, now) : null)
        return view(rowOf(workspaceId, id))
      }),
    occurrences: (workspaceId: string, id: string, query: PageQuery) => listOccurrences(db, rowOf(workspaceId, id), query),
    event: (workspaceId: string, id: string, { type, key, model, ref, note, occurred_at }: TuneMonitorEvent): TuneOccurrenceAccepted =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        requireLive(row, 'event')
        const earlier = key === undefined ? undefined : findByKey(db, row.no, key)
        if (earlier) return { occurrence_id: earlier.id, status: earlier.status, duplicate: true }
        requirePace(row)
        const given = { key: key ?? null, model: model ?? null, ref: ref ?? null, note: note ?? null }
        return accept(row, 'event', { type, ...given, occurred_at: occurred_at ?? timestamp(clock) }, null)
      }),
    workload: (workspaceId: string, id: string, workload: TuneWorkload): TuneOccurrenceAccepted =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        requireLive(row, 'workload')
        if (row.evaluator_version_id === null)
          throw new ApiError(
            'conflict',
            `The monitor "${row.name}" has no evaluator, so outputs can't be graded. Create one with evaluator_version_id.`,
          )
        if ('from' in workload && workload.from >= workload.to) throw invalidField(['body', 'to'], 'must be after from')
        requireSource(workspaceId, workload)
        const type = 'outputs' in workload ? 'outputs' : 'trace_ids' in workload ? 'traces' : 'integration'
        return accept(row, 'workload', { ...plain, type, occurred_at: timestamp(clock) }, workload)
      }),
    start: (): void => {
      const look = () => kernel.storage.attempt(followSchedules)
      look()
      timer = setInterval(
        guarded(look, error => kernel.log.error({ err: error }, 'following the schedules of monitors failed')),
        scheduleLookMs,
      ).unref()
    },
    close: (): void => clearInterval(timer),
  }
}

function eventTo(status: TuneMonitorStatus): 'pause' | 'resume' | 'archive' {
  if (status === 'active') return 'resume'
  return status === 'paused' ? 'pause' : 'archive'
}
