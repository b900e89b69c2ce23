import { type FrozenCoverage, type FrozenProfile, type Leaderboard, type LeaderboardEntry, MetricResult } from '../../contract/index.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Database } from '../../storage/database.ts'
import { z } from 'zod'
import { findMetrics } from './leaderboard.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { listRuns, type RunRow } from './runs.store.ts'

const RUNS_READ = 500
const Metrics = z.array(MetricResult)

/** The newest result of each model on each profile, from the newest runs of the workspace. */
export function readLeaderboard(db: Database, workspaceId: string): Leaderboard {
  const { items: rows, next_cursor } = listRuns(db, workspaceId, { limit: RUNS_READ, archived: 'false', q: '' }, row => row)
  const entries = new Map<string, LeaderboardEntry>()
  for (const row of rows) {
    if (row.result_version === null) continue
    const { model, coverage } = quoteOf(row)
    const identity = modelIdentity(model)
    const profiles = profilesOf(row).filter(profile => !entries.has(`${identity}\n${profile.profile_id}`))
    if (profiles.length === 0) continue
    const metrics = Metrics.parse(JSON.parse(findMetrics(db, row.no, row.result_version) ?? '[]'))
    for (const profile of profiles) {
      const primary = metrics.find(metric => metric.primary && metric.profile_id === profile.profile_id)
      if (!primary || primary.estimate.mean === null) continue
      entries.set(`${identity}\n${profile.profile_id}`, {
        ...entryOf(row, profile, coverage),
        model: identity,
        model_title: model.title,
        is_model: model.is_model,
        metric: primary.title,
        estimate: primary.estimate,
        chance_level: primary.chance_level,
        unscored: primary.unscored,
      })
    }
  }
  return { entries: [...entries.values()], runs_read: rows.length, older_runs: next_cursor !== null }
}

function entryOf(row: RunRow, profile: FrozenProfile, coverage: FrozenCoverage) {
  return {
    run_id: row.id,
    run_name: row.name,
    profile_id: profile.profile_id,
    slug: profile.slug,
    ...(profile.benchmark_title === undefined ? {} : { benchmark_title: profile.benchmark_title }),
    title: profile.title,
    tasks: profile.tasks_selected,
    tasks_available: profile.tasks_available,
    coverage: coverageKey(profile, coverage),
    finished_at: row.finished_at,
  }
}

/** Names which tasks of the profile were asked, how and how often. A seed draws the same tasks from the same version. */
function coverageKey({ version_digest, prompt_digest, tasks_selected, tasks_available }: FrozenProfile, coverage: FrozenCoverage): string {
  const { mode, seed, epochs, task_digest } = coverage
  const whole = mode !== 'exact' && tasks_selected === tasks_available
  const tasks = whole ? 'all' : mode === 'sample' ? `${tasks_selected} by seed ${seed}` : `list ${task_digest}`
  return `${version_digest.slice(0, 12)} ${prompt_digest.slice(0, 12)} ${tasks} x${epochs}`
}
