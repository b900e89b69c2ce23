import {
  type FrozenProfile,
  historyFalseAlarmEvery,
  historyTolerance,
  isBiasedScore,
  type ScoreHistory,
  type ScoreSeries,
} from '../../contract/index.ts'
import { drawFrom } from '../../engine/tasks/draw.ts'
import { driftBounds, newDriftState, watchDrift } from '../../engine/statistics/drift-detector.ts'
import { meansByKey } from '../../engine/statistics/groups.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Database } from '../../storage/database.ts'
import { basisOf } from './leaderboard.ts'
import { metricsOf } from './read-scores.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { listRuns, type RunRow } from './runs.store.ts'
import { scoredValues } from './score-history.store.ts'

const runsRead = 500

type Point = ScoreSeries['points'][number]

interface Found extends Omit<ScoreSeries, 'points' | 'is_watched'> {
  readonly points: { readonly point: Omit<Point, 'change'>; readonly values: () => readonly number[] }[]
}

/** Results of each model on one profile in time, with the runs at which its scores have changed. */
export function readScoreHistory(db: Database, workspaceId: string, profileId: string | undefined): ScoreHistory {
  const { items: rows, next_cursor } = listRuns(db, workspaceId, { limit: runsRead, archived: 'false', q: '' }, row => row)
  const ended = rows.filter(({ result_version: version, finished_at: at }) => version !== null && at !== null).toReversed()
  const profiles = new Map<string, ScoreHistory['profiles'][number]>()
  for (const row of ended)
    for (const profile of profilesOf(row)) {
      const { profile_id, slug, benchmark_title, title } = profile
      const runs = (profiles.get(profile_id)?.runs ?? 0) + 1
      profiles.set(profile_id, { profile_id, slug, ...(benchmark_title === undefined ? {} : { benchmark_title }), title, runs })
    }
  const series = profileId === undefined ? [] : [...seriesOf(db, ended, profileId).values()].map(watched)
  return {
    profiles: [...profiles.values()].toSorted((a, b) => b.runs - a.runs || a.profile_id.localeCompare(b.profile_id, 'en')),
    series: series.toSorted((a, b) => b.points.length - a.points.length || a.model_title.localeCompare(b.model_title, 'en')),
    runs_read: rows.length,
    older_runs: next_cursor !== null,
  }
}

function seriesOf(db: Database, rows: readonly RunRow[], profileId: string): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  for (const row of rows) {
    const profiles = profilesOf(row)
    const profileNo = profiles.findIndex(({ profile_id: id }) => id === profileId)
    const profile = profiles[profileNo]
    const read = profile && pointOf(db, row, profile)
    if (!read) continue
    const { key, point, metricNo, ...rest } = read
    const series = found.get(key) ?? { ...rest, points: [] }
    // Read only where the detector needs them, run by run.
    series.points.push({ point, values: () => valuesOf(db, row.no, profileNo, metricNo) })
    found.set(key, series)
  }
  return found
}

function pointOf(db: Database, row: RunRow, profile: FrozenProfile) {
  if (row.result_version === null || row.finished_at === null) return null
  const { model, coverage, warnings } = quoteOf(row)
  if (isBiasedScore({ notices: warnings }, profile.profile_id)) return null
  const primary = metricsOf(db, row.no, row.result_version).find(metric => metric.primary && metric.profile_id === profile.profile_id)
  if (!primary || primary.estimate.mean === null) return null
  const identity = modelIdentity(model)
  const basis = basisOf(profile, coverage, primary)
  return {
    key: JSON.stringify([identity, primary.title, basis, coverage.epochs]),
    model: identity,
    model_title: model.title,
    is_model: model.is_model,
    metric: primary.title,
    basis,
    epochs: coverage.epochs,
    metricNo: profile.metrics.findIndex(metric => metric.primary),
    point: {
      run_id: row.id,
      run_name: row.name,
      finished_at: row.finished_at,
      estimate: primary.estimate,
      unscored: primary.unscored,
    },
  }
}

/** One score a task, in an order that has nothing to do with the tasks: the detector's bound is of scores that come in no order. */
function valuesOf(db: Database, runNo: number, profileNo: number, metricNo: number): readonly number[] {
  const scored = scoredValues(db, runNo, profileNo, metricNo)
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
function watched({ points, ...series }: Found): ScoreSeries {
  let base: Omit<Point, 'change'> | null = null
  let state = newDriftState()
  let isWatched = true
  const read = points.map(({ point, values }): Point => {
    const interval = base?.estimate.interval ?? null
    if (base === null || interval === null) {
      base ??= point
      isWatched &&= base.estimate.interval !== null
      return { ...point, change: null }
    }
    const scores = isWatched ? values() : []
    if (scores.some(score => !(score >= 0 && score <= 1))) isWatched = false
    if (!isWatched) return { ...point, change: null }
    const { state: next, alarms } = watchDrift(state, scores, driftBounds(interval, historyTolerance), historyFalseAlarmEvery)
    state = next
    const change = alarms[0]?.kind ?? null
    if (change !== null) {
      base = point
      state = newDriftState()
    }
    return { ...point, change }
  })
  return { ...series, points: read, is_watched: isWatched }
}
