import type { GroupedRun } from '../../contract/run-groups/run-groups.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { primaryScores } from './leaderboard.store.ts'
import type { LiveRuns } from './live-runs.ts'
import type { RunRow } from './runs.store.ts'

/** Primary metric of each profile: of the latest result, or so far, then without an interval. */
export function readScores(db: Database, live: LiveRuns, row: RunRow): GroupedRun['scores'] {
  if (row.result_version === null) return (live.means(row.no) ?? []).map(score => ({ ...score, interval: null }))
  return (primaryScores(db, [row.no]).get(row.no) ?? []).map(({ profile_id, metric: { metric, estimate } }) => {
    const { n, mean, interval } = estimate
    return { profile_id, metric, n, mean, interval }
  })
}
