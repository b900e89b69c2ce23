import { z } from 'zod'
import { named, Timestamp } from '../primitives.ts'
import { LeaderboardEntry } from './leaderboard.schemas.ts'
import { Estimate } from './results.schemas.ts'

/** Accepted drop below, or rise above, the interval of the run that scores are compared with. */
export const historyTolerance = 0.02
/** Mean number of scores between false alarms of one series. */
export const historyFalseAlarmEvery = 10_000

const { run_id, run_name, model, model_title, is_model, metric, profile_id, slug, benchmark_title, title, basis } = LeaderboardEntry.shape

const ScorePoint = z.strictObject({
  run_id,
  run_name,
  finished_at: Timestamp,
  estimate: Estimate,
  unscored: z.int().min(0),
  change: z
    .enum(['regression', 'improvement'])
    .nullable()
    .describe('The detector raised an alarm while it read the scores of this run, which is the one that later runs are compared with.'),
})

export const ScoreHistory = named('ScoreHistory', {
  profiles: z
    .array(z.strictObject({ profile_id, slug, benchmark_title, title, runs: z.int().min(1) }))
    .describe('Profiles with results, those with most runs first.'),
  series: z
    .array(
      z.strictObject({
        model,
        model_title,
        is_model,
        metric,
        basis: basis.describe('Scores of one series are of the same tasks, prompt and scorer.'),
        epochs: z.int().min(1),
        points: z.array(ScorePoint).min(1).describe('Oldest first.'),
        is_watched: z.boolean().describe('False where the first score has no interval, or scores are not between 0 and 1.'),
      }),
    )
    .describe('Of the profile that was asked for; empty without one. Those with most runs first.'),
  older_runs: z.boolean().describe('More than 500 runs have a score: the newest 500 are read, of one model with `model`.'),
})

export type ScoreHistory = z.infer<typeof ScoreHistory>
export type ScoreSeries = ScoreHistory['series'][number]
