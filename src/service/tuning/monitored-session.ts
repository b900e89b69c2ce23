import { z } from 'zod'
import { ApiError, requireFound } from '../../contract/errors.ts'
import type { NewTuneMonitor, TuneMonitorTarget } from '../../contract/tuning/monitors.schemas.ts'
import { currentLabel } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneSessions } from './sessions.service.ts'

/** What a monitor takes from a session. */
export interface MonitoredSession {
  readonly profileId: string
  readonly target: TuneMonitorTarget
  readonly evaluatorVersionId: string | null
}

const Benchmark = z.object({ profile_id: z.string() })

/** @throws ApiError not_found, or conflict for a session without a benchmark */
export function monitoredSession(sessions: TuneSessions, workspaceId: string, id: string): MonitoredSession {
  const row = sessions.rowOf(workspaceId, id)
  const { draft, conclusion } = sessions.read(workspaceId, id)
  if (row.benchmark === null || draft.call === null)
    throw new ApiError('illegal_transition', `The session "${row.name}" is not approved, so it has no benchmark to run. Approve it first.`)
  const { model, effort } = draft.call
  const recommended = conclusion?.recommended == null ? null : sessions.armOf(workspaceId, conclusion.group_id, conclusion.recommended)
  return {
    profileId: Benchmark.parse(JSON.parse(row.benchmark)).profile_id,
    target: recommended ? targetOfArm(recommended) : { model, effort },
    evaluatorVersionId: draft.grader && 'evaluator_version_id' in draft.grader ? draft.grader.evaluator_version_id.toLowerCase() : null,
  }
}

function targetOfArm({ arm, profileId }: NonNullable<ReturnType<TuneSessions['armOf']>>): TuneMonitorTarget {
  const { route_id, connection_id } = arm.model
  return {
    model: connection_id === null ? { kind: 'managed', route_id: route_id ?? '' } : { kind: 'connection', connection_id },
    effort: arm.effort,
    ...(arm.prompt && profileId !== null && { prompt: { profile_id: profileId } }),
  }
}

/** The run that a baseline names. @throws ApiError not_found */
export function baselineRun(sessions: TuneSessions, workspaceId: string, { baseline }: Pick<NewTuneMonitor, 'baseline'>): string {
  if ('run_id' in baseline) return baseline.run_id
  const { group_id, arm } = baseline
  return requireFound(sessions.armOf(workspaceId, group_id, arm), 'arm of a run group', `${group_id} ${arm}`).arm.run_id
}

/**
 * The profile with the prompt of the call, in the version of the benchmark that the baseline's group ran: a group with other prompts makes
 * a version of its own, and runs of two versions cannot be compared. Null where the baseline is not an arm.
 */
export function profileOfGroup(sessions: TuneSessions, workspaceId: string, { baseline }: Pick<NewTuneMonitor, 'baseline'>): string | null {
  return 'run_id' in baseline ? null : (sessions.armOf(workspaceId, baseline.group_id, currentLabel)?.profileId ?? null)
}
