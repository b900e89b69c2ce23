import { invalidField } from '../../contract/errors.ts'
import type { NewTuneMonitor, TuneMonitor, TuneMonitorTarget } from '../../contract/tuning/monitors.schemas.ts'
import type { Principal } from '../auth/index.ts'
import { jobOwner } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findModel } from '../quotes/index.ts'
import { baselineRun, monitoredSession, profileOfGroup } from './monitored-session.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { insertMonitor } from './monitors.store.ts'
import { nextSchedule } from './next-schedule.ts'

/** Checks a new monitor against its session, baseline, model and evaluator, and stores it; gives its id. */
export function monitorCreator({ db, ids, clock }: Kernel, dependencies: MonitorsDependencies) {
  const { sessions, catalog, connections, evaluators, runs } = dependencies

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

  return (workspaceId: string, principal: Principal, body: NewTuneMonitor): string => {
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
    return id
  }
}
