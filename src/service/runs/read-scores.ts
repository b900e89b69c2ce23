import { z } from 'zod'
import type { GroupedRun } from '../../contract/run-groups/run-groups.schemas.ts'
import { MetricResult } from '../../contract/runs/results.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { findMetrics } from './leaderboard.store.ts'
import type { LiveRuns } from './live-runs.ts'
import type { RunRow } from './runs.store.ts'

const Metrics = z.array(MetricResult)

/** The metrics of a result, without its breakdowns and distributions. */
export function metricsOf(db: Database, runNo: number, version: number): MetricResult[] {
  return Metrics.parse(JSON.parse(findMetrics(db, runNo, version) ?? '[]'))
}

/** Primary metric of each profile: of the latest result, or so far, then without an interval. */
export function readScores(db: Database, live: LiveRuns, row: RunRow): GroupedRun['scores'] {
  if (row.result_version === null) return (live.means(row.no) ?? []).map(score => ({ ...score, interval: null }))
  return metricsOf(db, row.no, row.result_version)
    .filter(({ primary }) => primary)
    .map(({ profile_id, metric, estimate: { n, mean, interval } }) => ({ profile_id, metric, n, mean, interval }))
}
