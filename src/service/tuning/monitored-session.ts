import { ApiError, invalidField, type NewTuneMonitor, notFound, type TuneMonitorTarget, type TuneSession } from '../../contract/index.ts'
import type { TuneSessions } from './sessions.service.ts'

type Arm = TuneSession['groups'][number]['arms'][number]

/** What a monitor takes from a session. */
export interface MonitoredSession {
  readonly profileId: string
  readonly evaluatorVersionId: string | null
  /** The recommended call, or the current one. @param profileOf the profile that a run asked, whose prompt is an arm's */
  target(profileOf: (runId: string) => string): TuneMonitorTarget
}

/** @throws ApiError not_found, or conflict for a session without a benchmark */
export function monitoredSession(sessions: TuneSessions, workspaceId: string, id: string): MonitoredSession {
  const { name, benchmark, draft, conclusion, groups } = sessions.read(workspaceId, id)
  const { call } = draft
  if (benchmark === null || call === null)
    throw new ApiError('conflict', `The session "${name}" is not approved, so it has no benchmark to run. Approve it first.`)
  const recommended = groups.find(group => group.id === conclusion?.group_id)?.arms.find(({ label }) => label === conclusion?.recommended)
  return {
    profileId: benchmark.profile_id,
    evaluatorVersionId: draft.grader && 'evaluator_version_id' in draft.grader ? draft.grader.evaluator_version_id.toLowerCase() : null,
    target: profileOf => {
      const model = recommended && modelOf(recommended)
      if (!recommended || !model) return { model: call.model, effort: call.effort }
      const { effort, prompt, run_id } = recommended
      return { model, effort, ...(prompt !== null && { prompt: { profile_id: profileOf(run_id) } }) }
    },
  }
}

function modelOf({ model: { route_id, connection_id } }: Arm): TuneMonitorTarget['model'] | null {
  if (route_id !== null) return { kind: 'managed', route_id }
  return connection_id === null ? null : { kind: 'connection', connection_id }
}

/** The run that a baseline names. @throws ApiError not_found, or validation_error for an arm without its session */
export function baselineRun(sessions: TuneSessions, workspaceId: string, { baseline, session_id: id }: NewTuneMonitor): string {
  if ('run_id' in baseline) return baseline.run_id
  if (id === undefined)
    throw invalidField(['body', 'baseline'], 'names an arm of a session, so session_id is required; or give the run_id of the arm')
  const group = sessions.read(workspaceId, id).groups.find(each => each.id === baseline.group_id.toLowerCase())
  if (!group) throw notFound('run group', baseline.group_id)
  const arm = group.arms.find(({ label }) => label === baseline.arm)
  if (!arm)
    throw invalidField(['body', 'baseline', 'arm'], `the group has the arms ${group.arms.map(({ label }) => `"${label}"`).join(', ')}`)
  return arm.run_id
}
