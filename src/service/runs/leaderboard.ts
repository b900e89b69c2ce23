import type { Leaderboard, LeaderboardEntry } from '../../contract/runs/leaderboard.schemas.ts'
import { tasksKey } from '../../contract/runs/same-tasks.ts'
import type { Database } from '../../storage/database.ts'
import { bestScores, countScoredRuns, type ScoreRow } from './leaderboard.store.ts'

/**
 * The most complete result of each model on each profile: the run with the most scored tasks, of those with as many the newest. A newer
 * run over fewer tasks does not replace one over more. Scores over tasks that the model's own results chose are none of its scores.
 */
export function readLeaderboard(db: Database, workspaceId: string, archived: boolean): Leaderboard {
  return { entries: bestScores(db, workspaceId, archived).map(toEntry), runs: countScoredRuns(db, workspaceId, archived) }
}

function toEntry({ score: { metric, profile, ...stored }, ...run }: ScoreRow): LeaderboardEntry {
  const { benchmark_title: benchmark, tasks_selected: tasks, tasks_available } = profile
  return {
    ...run,
    model_title: stored.model_title,
    is_model: stored.is_model,
    slug: profile.slug,
    ...(benchmark === null ? {} : { benchmark_title: benchmark }),
    title: profile.title,
    ...(profile.changed && { changed: profile.changed }),
    metric: metric.title,
    estimate: metric.estimate,
    chance_level: metric.chance_level,
    unscored: metric.unscored,
    tasks,
    tasks_available,
    not_run: metric.not_run ?? 0,
    basis: basisOf(profile, stored.coverage, metric),
  }
}

/** What a score is of; a run that was regraded may have another metric, one that was stopped has asked other tasks. */
export function basisOf(
  profile: Omit<ScoreRow['score']['profile'], 'benchmark_title'>,
  coverage: ScoreRow['score']['coverage'],
  { metric, scorer_version: version, not_run: notRun = 0 }: ScoreRow['score']['metric'],
): LeaderboardEntry['basis'] {
  return {
    tasks: `${tasksKey(profile, coverage)}${notRun > 0 ? `, ${notRun} not run` : ''}`,
    prompt: profile.prompt_digest.slice(0, 12),
    ...(profile.changed && { settings: profile.changed.join(', ') }),
    scorer: `${metric} ${version}`,
  }
}
