import { z } from 'zod'
import { named, Timestamp, Uuid } from '../primitives.ts'
import { FrozenProfile } from '../quotes/quotes.schemas.ts'
import { Estimate } from './results.schemas.ts'

/** The most complete result of one model on one profile. */
export const LeaderboardEntry = named('LeaderboardEntry', {
  run_id: Uuid,
  run_name: z.string(),
  model: z.string().describe('Tells models apart: the same for every connection or route that asks the same model.'),
  model_title: z.string(),
  is_model: z.boolean().describe('False for baselines.'),
  profile_id: z.string(),
  slug: z.string(),
  benchmark_title: z.string().optional().describe('Title of the benchmark. Absent for runs made before it was recorded.'),
  title: z.string().describe('Of the profile.'),
  changed: FrozenProfile.shape.changed,
  metric: z.string().describe('Title of the primary metric.'),
  estimate: Estimate,
  chance_level: z.number().nullable(),
  unscored: z.int().min(0).describe('Samples without a value of the metric.'),
  tasks: z.int().min(0).describe('Tasks that the run selected.'),
  tasks_available: z.int().min(0),
  not_run: z.int().min(0).describe('Samples that were never run: the run was cancelled, stopped or decided early. Part of `unscored`.'),
  basis: z
    .strictObject({
      tasks: z.string().describe('Equal for the same tasks of the same version.'),
      prompt: z.string().describe('Equal for the same prompt.'),
      settings: z.exactOptional(z.string()).describe('Equal for the same changes of the profile’s settings; absent for none.'),
      scorer: z.string().describe('Equal for the same metric in the same version.'),
    })
    .describe('What the score is of. Scores that differ in any of it are not alike; epochs alone make no difference.'),
  finished_at: Timestamp.nullable(),
})

export const Leaderboard = named('Leaderboard', {
  entries: z
    .array(LeaderboardEntry)
    .describe(
      'At most one for each model, profile, prompt and changed settings: the run with the most scored tasks, of those with as many the newest. The newest run first.',
    ),
  runs: z.int().min(0).describe('Runs with a result that is counted; archived ones are not.'),
})

export type Leaderboard = z.infer<typeof Leaderboard>
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>
