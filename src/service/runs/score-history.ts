import { historyFalseAlarmEvery, historyTolerance, type ScoreHistory, type ScoreSeries } from '../../contract/runs/score-history.schemas.ts'
import { drawFrom } from '../../engine/tasks/draw.ts'
import { driftBounds, newDriftState, watchDrift } from '../../engine/statistics/drift-detector.ts'
import { meansByKey } from '../../engine/statistics/groups.ts'
import type { Database } from '../../storage/database.ts'
import { basisOf } from './leaderboard.ts'
import { type HistoryRow, scoredProfiles, scoredValues, scoresOf } from './score-history.store.ts'

const runsRead = 500

type Point = ScoreSeries['points'][number]

export interface HistoryWanted {
  readonly profile_id?: string | undefined
  readonly model?: string | undefined
}

/** Scores of models on one profile in time, with the runs at which they have changed. */
export function readScoreHistory(db: Database, workspaceId: string, { profile_id: profileId, model }: HistoryWanted): ScoreHistory {
  const rows = profileId === undefined ? [] : scoresOf(db, workspaceId, profileId, model, runsRead + 1)
  const series = Map.groupBy(rows.slice(0, runsRead).toReversed(), ({ model: own, score: { metric, profile, coverage } }) =>
    JSON.stringify([own, metric.title, basisOf(profile, coverage, metric), coverage.epochs]),
  )
  return {
    profiles: scoredProfiles(db, workspaceId),
    series: [...series.values()]
      .flatMap(([first, ...rest]) => (first ? [watched(db, first, rest)] : []))
      .toSorted((a, b) => b.points.length - a.points.length || a.model_title.localeCompare(b.model_title, 'en')),
    older_runs: rows.length > runsRead,
  }
}

function toPoint({ run_id, run_name, finished_at, score: { metric } }: HistoryRow, change: Point['change']): Point {
  return { run_id, run_name, finished_at, estimate: metric.estimate, unscored: metric.unscored, change }
}

/** One score a task, in an order that has nothing to do with the tasks: the detector's bound is of scores that come in no order. */
function valuesOf(db: Database, { run_no: runNo, position }: HistoryRow): readonly number[] {
  const scored = scoredValues(db, runNo, position)
  const { means } = meansByKey(
    scored.map(([, value]) => value),
    scored.map(([task]) => String(task)),
  )
  const draw = drawFrom(runNo)
  const order = [...means]
  for (let last = order.length - 1; last > 0; last--) {
    const other = draw.int(0, last)
    ;[order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0]
  }
  return order
}

/** The detector of monitors over the scores after the first run, which it starts again from at each alarm. */
function watched(db: Database, first: HistoryRow, rest: readonly HistoryRow[]): ScoreSeries {
  const { metric, profile, coverage, model_title, is_model } = first.score
  let base = first
  let state = newDriftState()
  let isWatched = first.score.metric.estimate.interval !== null
  const points = rest.map((row): Point => {
    const { interval } = base.score.metric.estimate
    const scores = isWatched && interval ? valuesOf(db, row) : []
    if (scores.some(score => !(score >= 0 && score <= 1))) isWatched = false
    if (!isWatched || !interval) return toPoint(row, null)
    const { state: next, alarms } = watchDrift(state, scores, driftBounds(interval, historyTolerance), historyFalseAlarmEvery)
    state = next
    const change = alarms[0]?.kind ?? null
    if (change !== null) {
      base = row
      state = newDriftState()
    }
    return toPoint(row, change)
  })
  return {
    model: first.model,
    model_title,
    is_model,
    metric: metric.title,
    basis: basisOf(profile, coverage, metric),
    epochs: coverage.epochs,
    points: [toPoint(first, null), ...points],
    is_watched: isWatched,
  }
}
