import { z } from 'zod'
import type { ReferenceRun } from '../../contract/runs/reference-runs.schemas.ts'
import { isBiasedScore, MetricResult } from '../../contract/runs/results.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { findMetrics } from './leaderboard.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { type ReferenceCandidate, runsOverProfile } from './reference-runs.store.ts'
import type { RunRow } from './runs.store.ts'

const Metrics = z.array(MetricResult)

/**
 * For each profile of a run the runs to read its score beside: an earlier run of a model, and another baseline. Runs after this one never
 * replace an earlier choice over the same tasks.
 */
export function readReferenceRuns(db: Database, row: RunRow): ReferenceRun[] {
  const own = quoteOf(row).model.title
  return profilesOf(row).flatMap(({ profile_id: profileId }) => {
    const ownMetric = primaryOf(db, row.no, row.result_version, profileId)
    const find = (role: ReferenceRun['role']): ReferenceRun[] => {
      const isModel = role === 'previous'
      const wanted = { besideNo: row.no, profileId, isModel }
      // Two runs of one baseline differ by luck alone.
      const isUsable = ({ title }: ReferenceCandidate, metric: MetricResult) =>
        (isModel || title !== own) && (!ownMetric || isSameMetric(metric, ownMetric))
      for (const sameTasks of [true, false]) {
        const before = runsOverProfile(db, { ...wanted, sameTasks, where: 'before' })
        const runs = isModel ? before : chain(before, runsOverProfile(db, { ...wanted, sameTasks, where: 'after' }))
        const chosen = choose(db, profileId, runs, isUsable)
        if (chosen) return [{ ...chosen, profile_id: profileId, role, same_tasks: sameTasks }]
      }
      return []
    }
    return [...find('previous'), ...find('baseline')]
  })
}

type Chosen = Pick<ReferenceRun, 'run_id' | 'model_title' | 'estimate'>

/** The first complete run whose score can be shown, or else the first one of all. */
function choose(
  db: Database,
  profileId: string,
  runs: Iterable<ReferenceCandidate>,
  isUsable: (run: ReferenceCandidate, metric: MetricResult) => boolean,
): Chosen | null {
  let best: Chosen | null = null
  for (const run of runs) {
    const isComplete = run.status === 'complete'
    if ((best && !isComplete) || isBiasedScore({ notices: run.warnings }, profileId)) continue
    const metric = primaryOf(db, run.no, run.resultVersion, profileId)
    if (!metric || metric.estimate.mean === null || !isUsable(run, metric)) continue
    best = { run_id: run.id, model_title: run.title, estimate: metric.estimate }
    if (isComplete) break
  }
  return best
}

function* chain<Item>(first: Iterable<Item>, second: Iterable<Item>): Generator<Item> {
  yield* first
  yield* second
}

function primaryOf(db: Database, runNo: number, version: number | null, profileId: string): MetricResult | null {
  const metrics = version === null ? [] : Metrics.parse(JSON.parse(findMetrics(db, runNo, version) ?? '[]'))
  return metrics.find(metric => metric.primary && metric.profile_id === profileId) ?? null
}

/** A run that was regraded may have another primary metric, or a later version of its scorer. */
function isSameMetric(one: MetricResult, other: MetricResult): boolean {
  return one.metric === other.metric && one.scorer === other.scorer && one.scorer_version === other.scorer_version
}
