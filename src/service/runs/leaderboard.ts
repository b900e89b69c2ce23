import {
  type FrozenCoverage,
  type FrozenProfile,
  isBiasedScore,
  type Leaderboard,
  type LeaderboardEntry,
  type MetricResult,
  tasksKey,
} from '../../contract/index.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Database } from '../../storage/database.ts'
import { metricsOf } from './read-scores.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { listRuns, type RunRow } from './runs.store.ts'

const RUNS_READ = 500

/**
 * The most complete result of each model on each profile: the run with the most scored tasks, of those with as many the newest. A newer
 * run over fewer tasks does not replace one over more. Scores over tasks that the model's own results chose are none of its scores.
 */
export function readLeaderboard(db: Database, workspaceId: string): Leaderboard {
  const { items: rows, next_cursor } = listRuns(db, workspaceId, { limit: RUNS_READ, archived: 'false', q: '' }, row => row)
  const found = new Map<string, { readonly scored: number; readonly entry: LeaderboardEntry }>()
  for (const row of rows) {
    if (row.result_version === null) continue
    const { model, coverage, warnings } = quoteOf(row)
    const identity = modelIdentity(model)
    const keyOf = (profile: FrozenProfile) => `${identity}\n${profile.profile_id}`
    const profiles = profilesOf(row).filter(profile => profile.tasks_selected > (found.get(keyOf(profile))?.scored ?? 0))
    if (profiles.length === 0) continue
    const metrics = metricsOf(db, row.no, row.result_version)
    for (const profile of profiles) {
      const primary = metrics.find(metric => metric.primary && metric.profile_id === profile.profile_id)
      if (!primary || primary.estimate.mean === null || isBiasedScore({ notices: warnings }, profile.profile_id)) continue
      const scored = profile.tasks_selected - primary.unscored / coverage.epochs
      if (scored <= (found.get(keyOf(profile))?.scored ?? 0)) continue
      const entry = {
        ...entryOf(row, profile),
        basis: basisOf(profile, coverage, primary),
        model: identity,
        model_title: model.title,
        is_model: model.is_model,
        metric: primary.title,
        estimate: primary.estimate,
        chance_level: primary.chance_level,
        unscored: primary.unscored,
        not_run: primary.not_run ?? 0,
      }
      // Taken out first, so that entries stay in the order of their runs.
      found.delete(keyOf(profile))
      found.set(keyOf(profile), { scored, entry })
    }
  }
  return { entries: [...found.values()].map(({ entry }) => entry), runs_read: rows.length, older_runs: next_cursor !== null }
}

function entryOf(row: RunRow, profile: FrozenProfile) {
  return {
    run_id: row.id,
    run_name: row.name,
    profile_id: profile.profile_id,
    slug: profile.slug,
    ...(profile.benchmark_title === undefined ? {} : { benchmark_title: profile.benchmark_title }),
    title: profile.title,
    tasks: profile.tasks_selected,
    tasks_available: profile.tasks_available,
    finished_at: row.finished_at,
  }
}

/** What a score is of; a run that was regraded may have another metric, one that was stopped has asked other tasks. */
export function basisOf(
  profile: FrozenProfile,
  coverage: FrozenCoverage,
  { metric, scorer_version: version, not_run: notRun = 0 }: MetricResult,
): LeaderboardEntry['basis'] {
  return {
    tasks: `${tasksKey(profile, coverage)}${notRun > 0 ? `, ${notRun} not run` : ''}`,
    prompt: profile.prompt_digest.slice(0, 12),
    scorer: `${metric} ${version}`,
  }
}
