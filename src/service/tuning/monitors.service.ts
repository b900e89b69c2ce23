import {
  allows,
  ApiError,
  illegalTransition,
  invalidField,
  type NewTuneMonitor,
  notFound,
  type TuneMonitor,
  type TuneMonitorEvent,
  type TuneMonitorTarget,
  type TuneMonitorStatus,
  type TuneOccurrence,
  type TuneOccurrenceAccepted,
  tuneMonitorMachine,
  type TuneWorkload,
} from '../../contract/index.ts'
import { transition } from '../../storage/transition.ts'
import type { Principal } from '../auth/index.ts'
import { jobOwner } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findModel } from '../quotes/index.ts'
import { findIntegration, missingTrace } from '../traces/index.ts'
import { sentOutputs } from './grade-workload.ts'
import {
  dueMonitors,
  findMonitor,
  insertMonitor,
  listMonitors,
  type MonitorRow,
  type PageQuery,
  setNextRun,
  toMonitor,
} from './monitors.store.ts'
import { baselineRun, monitoredSession, profileOfGroup } from './monitored-session.ts'
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
  const { sessions, catalog, connections, evaluators, runs, jobs } = dependencies
  let timer: NodeJS.Timeout | undefined
  registerOccurrenceJob(kernel, jobs, dependencies)

  const rowOf = (workspaceId: string, id: string): MonitorRow => {
    const row = findMonitor(db, workspaceId, id)
    if (!row) throw notFound('monitor', id)
    return row
  }
  const view = (row: MonitorRow): TuneMonitor => toMonitor(db, row, timestamp(clock))

  /** The run that a monitor compares with, and its mean with its two-sided 95 % interval. */
  const baseline = (workspaceId: string, request: NewTuneMonitor, profileId: string, versionId: string | null) => {
    const { baseline: asked } = request
    const runId = baselineRun(sessions, workspaceId, request)
    const { metrics } = runs.results(workspaceId, runId, undefined)
    // An arm with a prompt of its own has a profile of its own, with the same cases.
    const own = metrics.filter(({ profile_id }) => 'arm' in asked || profile_id === profileId)
    if (own.length === 0) throw invalidField(['body', 'baseline'], `the run "${runId}" has no result of the profile "${profileId}"`)
    const metric =
      own.find(({ evaluator }) => versionId !== null && evaluator?.evaluator_version_id === versionId) ?? own.find(({ primary }) => primary)
    const { n = 0, mean = null, interval = null } = metric?.estimate ?? {}
    const record: TuneMonitor['baseline'] = {
      run_id: runId.toLowerCase(),
      group_id: 'group_id' in asked ? asked.group_id.toLowerCase() : null,
      arm: 'arm' in asked ? asked.arm : null,
      n,
      mean,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
    }
    return record
  }
  const modelOf = (workspaceId: string, runId: string): TuneMonitorTarget['model'] => {
    const { kind, route_id, connection_id, title } = runs.read(workspaceId, runId).model
    if (kind === 'managed' && route_id !== null) return { kind, route_id }
    if (kind === 'connection' && connection_id !== null) return { kind, connection_id }
    throw invalidField(
      ['body', 'target'],
      `is required: the answers of "${title}" came from a file, so there is no model to call`,
      'missing',
    )
  }

  /** Runs are compared task by task, so the monitor must ask what the baseline's run asked. */
  const requireComparable = (workspaceId: string, runId: string, { prompt }: TuneMonitorTarget, profileId: string): void => {
    const loc = prompt ? ['body', 'target', 'prompt', 'profile_id'] : ['body', 'profile_id']
    const asked = prompt?.profile_id ?? profileId
    const entry = catalog.profile(workspaceId, asked)
    if (!entry) throw invalidField(loc, `there is no profile "${asked}"; GET /v1/catalog/benchmarks lists them`)
    const { profiles } = runs.read(workspaceId, runId)
    if (entry.version && !profiles.some(({ source_ref }) => source_ref === entry.version?.sourceRef))
      throw invalidField(
        loc,
        `"${asked}" is of ${entry.version.sourceRef}, which the baseline's run did not answer; name a profile or a baseline of the same benchmark version`,
      )
  }

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
    create: (workspaceId: string, principal: Principal, body: NewTuneMonitor): TuneMonitor => {
      if ((body.session_id === undefined) === (body.profile_id === undefined))
        throw invalidField(['body', 'profile_id'], 'must be given exactly when session_id is not')
      const session = body.session_id === undefined ? null : monitoredSession(sessions, workspaceId, body.session_id)
      const profileId = body.profile_id ?? profileOfGroup(sessions, workspaceId, body) ?? session?.profileId ?? ''
      const versionId = body.evaluator_version_id?.toLowerCase() ?? session?.evaluatorVersionId ?? null
      if (versionId !== null) evaluators.outputs.requireSuitable(workspaceId, versionId, ['body', 'evaluator_version_id'])
      const record = baseline(workspaceId, body, profileId, versionId)
      const target: TuneMonitorTarget = body.target ?? session?.target ?? { model: modelOf(workspaceId, record.run_id), effort: null }
      if (!findModel(target.model, workspaceId, catalog, connections))
        throw invalidField(
          ['body', 'target', 'model'],
          target.model.kind === 'managed'
            ? `there is no model route "${target.model.route_id}"; GET /v1/catalog/models lists them`
            : `there is no connection "${target.model.connection_id}" in this workspace`,
        )
      requireComparable(workspaceId, record.run_id, target, profileId)
      const id = ids.next()
      const now = timestamp(clock)
      const owner = jobOwner(principal)
      if (owner.kind === 'service') throw new Error('The service creates no monitors.')
      insertMonitor(db, {
        id,
        workspaceId,
        request: body,
        profileId,
        target,
        baseline: record,
        evaluatorVersionId: versionId,
        nextRunAt: body.schedule === undefined ? null : nextSchedule(now, body.schedule, now),
        owner,
        createdAt: now,
      })
      return view(rowOf(workspaceId, id))
    },
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
      timer = setInterval(look, scheduleLookMs).unref()
    },
    close: (): void => clearInterval(timer),
  }
}

function eventTo(status: TuneMonitorStatus): 'pause' | 'resume' | 'archive' {
  if (status === 'active') return 'resume'
  return status === 'paused' ? 'pause' : 'archive'
}
