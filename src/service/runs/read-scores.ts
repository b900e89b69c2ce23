import type { GroupedRun } from '../../contract/run-groups/run-groups.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { LiveRuns } from './live-runs.ts'

/**
 * Primary metric of each profile: of the latest result, or so far, then without an interval.
 * @param runNo of the same run
 */
export function readScores(live: LiveRuns, run: Pick<Run, 'result_version' | 'scores'>, runNo: () => number): GroupedRun['scores'] {
  if (run.result_version === null) return (live.means(runNo()) ?? []).map(score => ({ ...score, interval: null }))
  return run.scores.map(({ profile_id, metric, estimate: { n, mean, interval } }) => ({ profile_id, metric, n, mean, interval }))
}
