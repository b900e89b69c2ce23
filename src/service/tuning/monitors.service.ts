import { ApiError, invalidField, notFound, requireFound } from '../../contract/errors.ts'
import { allows, illegalTransition } from '../../contract/machine.ts'
import { tuneMonitorMachine, type TuneMonitorStatus } from '../../contract/tuning/monitor.machine.ts'
import type {
  NewTuneMonitor,
  TuneMonitor,
  TuneMonitorEvent,
  TuneOccurrence,
  TuneOccurrenceAccepted,
  TuneWorkload,
} from '../../contract/tuning/monitors.schemas.ts'
import { transition } from '../../storage/transition.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { atIntervals, clockCorrections } from '../background.ts'
import type { Principal } from '../auth/index.ts'
import { jobOwner } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findIntegration, missingTrace } from '../traces/index.ts'
import { startWork, type Work } from '../spending/index.ts'
import { sentOutputs } from './grade-workload.ts'
import {
  dueMonitors,
  findMonitor,
  listMonitors,
  type MonitorsQuery,
  liveMonitors,
  monitorOn,
  type MonitorRow,
  requestOf,
  setNextRun,
  spentIn,
  toMonitor,
  waitingMonitors,
} from './monitors.store.ts'
import { monitorCreator } from './new-monitor.ts'
import { monthOf, nextSchedule } from './next-schedule.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { registerOccurrenceJob } from './occurrence-job.ts'
import { leastWork, type OccurrenceInput } from './occurrence-work.ts'
import {
  findByKey,
  hasOpen,
  insertOccurrence,
  listOccurrences,
  nthLatestOf,
  type OccurrenceRow,
  type Trigger,
  triggerOf,
} from './occurrences.store.ts'
import { keepOutputs } from './outputs.store.ts'

/** Events and workloads of one sender within a minute, over all monitors. */
const sentPerMinute = 60
/** Events and workloads of one sender that have not ended: each may hold 16 MB, and a monitor does one at a time. */
const mostOpen = 100
const minuteMs = 60_000
/** Between looks for schedules that are due. */
const scheduleLookMs = 5_000

export type TuneMonitors = ReturnType<typeof createTuneMonitors>

export function createTuneMonitors(kernel: Kernel, dependencies: MonitorsDependencies) {
  const { db, ids, clock } = kernel
  const { jobs, quotes, runs } = dependencies
  const createMonitor = monitorCreator(kernel, dependencies)
  registerOccurrenceJob(kernel, jobs, dependencies)

  runs.keepFor((workspaceId, runId) => {
    const monitor = monitorOn(db, workspaceId, runId)
    if (monitor)
      throw new ApiError('conflict', `The run "${runId}" is the baseline of the monitor "${monitor.name}". Archive the monitor first.`)
  })

  const rowOf = (workspaceId: string, id: string): MonitorRow => requireFound(findMonitor(db, workspaceId, id), 'monitor', id)
  const view = (row: MonitorRow): TuneMonitor => toMonitor(db, row, timestamp(clock))

  const accept = (
    monitor: MonitorRow,
    kind: TuneOccurrence['kind'],
    trigger: TuneOccurrence['trigger'],
    workload: TuneWorkload | null,
    sender: Principal | null,
  ): TuneOccurrenceAccepted => {
    const id = ids.next()
    const input: OccurrenceInput = { occurrence_id: id }
    const jobId = jobs.enqueue('tune_occurrence', {
      workspaceId: monitor.workspace_id,
      // Whoever causes the calls pays for them; of a schedule that is whoever made the monitor.
      owner: sender === null ? { kind: monitor.owner_kind, id: monitor.owner_id } : jobOwner(sender),
      input,
      subject: { type: 'tune_occurrence', id },
    })
    const now = timestamp(clock)
    const source = workload === null || 'outputs' in workload ? null : workload
    const senderId = sender?.id ?? null
    const no = insertOccurrence(db, { id, monitorNo: monitor.no, kind, trigger, source, jobId, senderId, createdAt: now })
    if (workload !== null && 'outputs' in workload) keepOutputs(db, monitor.no, { id, no }, sentOutputs(workload, now))
    return { occurrence_id: id, status: 'accepted', duplicate: false }
  }
  const workOf = (monitor: MonitorRow, kind: TuneOccurrence['kind']): Work => leastWork(quotes, monitor, kind)
  /** @throws ApiError rate_limited */
  const requirePace = ({ id, name }: Principal): void => {
    if (hasOpen(db, id, mostOpen))
      throw new ApiError(
        'rate_limited',
        `${mostOpen} events and workloads of "${name}" have not ended, which is the limit. Send more when some of them have.`,
        { headers: { 'retry-after': '60' } },
      )
    const filledBy = nthLatestOf(db, id, sentPerMinute)
    const wait = filledBy === null ? 0 : Date.parse(filledBy) + minuteMs - clock.now().getTime()
    if (wait <= 0) return
    const seconds = Math.ceil(wait / 1000)
    throw new ApiError(
      'rate_limited',
      `"${name}" sent ${sentPerMinute} events and workloads to monitors within the last minute, which is the limit. Try again in ${seconds} seconds.`,
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

  const followCorrections = clockCorrections(
    now => waitingMonitors(db, now),
    ({ created_at: anchor, schedule }, after) => schedule && nextSchedule(anchor, schedule, after),
    ({ no }, next) => setNextRun(db, no, next),
  )
  /** What was missed while the service did not run happens once. */
  const followSchedules = () => {
    const now = timestamp(clock)
    followCorrections(now)
    for (const monitor of dueMonitors(db, now)) {
      if (monitor.schedule === null) continue
      const { schedule, next_run_at: due } = monitor
      db.transaction(() => {
        accept(monitor, 'event', { ...plain, type: 'schedule', occurred_at: due ?? now }, null, null)
        setNextRun(db, monitor.no, nextSchedule(monitor.created_at, schedule, now))
      })
    }
  }
  const look = () => kernel.storage.attempt(followSchedules)
  const looking = atIntervals(kernel.log, scheduleLookMs, look, 'following the schedules of monitors failed')

  return {
    create: (workspaceId: string, principal: Principal, body: NewTuneMonitor): TuneMonitor =>
      db.transaction(() => {
        const row = rowOf(workspaceId, createMonitor(workspaceId, principal, body))
        return row.schedule === null ? view(row) : startWork(db, principal.id, workOf(row, 'event'), timestamp(clock), () => view(row))
      }),
    list: (workspaceId: string, query: MonitorsQuery) => listMonitors(db, workspaceId, query, timestamp(clock)),
    patch: (workspaceId: string, id: string, principal: Principal, status: TuneMonitorStatus): TuneMonitor =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        const now = timestamp(clock)
        const event = eventTo(status)
        if (!allows(tuneMonitorMachine, row.status, event)) throw illegalTransition('monitor', row.id, row.status, event)
        const next = status === 'active' && row.schedule !== null ? nextSchedule(row.created_at, row.schedule, now) : null
        const change = () => {
          transition(db, tuneMonitorMachine, { table: 'tune_monitors', column: 'status' }, row.id, event, now)
          setNextRun(db, row.no, next)
          return view(rowOf(workspaceId, id))
        }
        if (next === null) return change()
        return startWork(db, principal.id, { ...workOf(row, 'event'), payerId: row.owner_id }, now, change)
      }),
    occurrences: (workspaceId: string, id: string, query: PageQuery) => listOccurrences(db, rowOf(workspaceId, id), query),
    event: (
      workspaceId: string,
      id: string,
      principal: Principal,
      { type, key, model, ref, note, occurred_at }: TuneMonitorEvent,
    ): TuneOccurrenceAccepted =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        requireLive(row, 'event')
        const earlier = key === undefined ? undefined : findByKey(db, row.no, key)
        const given = { key: key ?? null, model: model ?? null, ref: ref ?? null, note: note ?? null }
        if (earlier) {
          requireSame(earlier, { type, ...given })
          return { occurrence_id: earlier.id, status: earlier.status, duplicate: true }
        }
        requirePace(principal)
        const trigger = { type, ...given, occurred_at: occurred_at ?? timestamp(clock) }
        return startWork(db, principal.id, workOf(row, 'event'), timestamp(clock), () => accept(row, 'event', trigger, null, principal))
      }),
    workload: (workspaceId: string, id: string, principal: Principal, workload: TuneWorkload): TuneOccurrenceAccepted =>
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
        requirePace(principal)
        const trigger = { ...plain, type, occurred_at: timestamp(clock) } as const
        return startWork(db, principal.id, workOf(row, 'workload'), timestamp(clock), () =>
          accept(row, 'workload', trigger, workload, principal),
        )
      }),
    /** Monthly limits, with what is used of each. */
    budgets: (workspaceId: string) => {
      const month = monthOf(timestamp(clock))
      return liveMonitors(db, workspaceId).map(row => {
        const { max_monthly_microusd: limit } = requestOf(row)
        return {
          subject: `monitor ${row.id} ${month} ${limit}`,
          limit: BigInt(limit),
          used: spentIn(db, row, month),
          data: { kind: 'monitor', monitor_id: row.id, name: row.name, month },
        }
      })
    },
    start: (): void => {
      look()
      looking.start()
    },
    close: looking.close,
  }
}

/** @throws ApiError idempotency_mismatch for a key that was sent with another event */
function requireSame(earlier: OccurrenceRow, given: Omit<Trigger, 'occurred_at'>): void {
  const { occurred_at: _, ...known } = triggerOf(earlier)
  const changed = (['type', 'model', 'ref', 'note'] as const).filter(field => known[field] !== given[field])
  if (changed.length > 0)
    throw new ApiError(
      'idempotency_mismatch',
      `The key "${given.key}" was sent before with another ${changed.join(' and ')}, as the occurrence "${earlier.id}". Use a new key for another event.`,
    )
}

function eventTo(status: TuneMonitorStatus): 'pause' | 'resume' | 'archive' {
  if (status === 'active') return 'resume'
  return status === 'paused' ? 'pause' : 'archive'
}
