import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import { AttackMatrix } from '../worlds/attacks.schemas.ts'
import { Leaderboard } from './leaderboard.schemas.ts'
import { RunBatch } from './runs.schemas.ts'
import { ScoreHistory } from './score-history.schemas.ts'

const params = z.strictObject({ run_id: Uuid })

/** What is read over many runs, or of few: apart, so that the page of a run does not load it. */
export const runReportsEndpoints = endpoints('Runs', {
  getLeaderboard: {
    route: 'GET /v1/leaderboard',
    summary: 'Read the most complete result of each model on each profile',
    description: 'Of all runs that are not archived. Nothing is averaged over profiles; `basis` says which scores are alike.',
    scope: 'runs:read',
    query: z.strictObject({
      archived: z.boolean().default(false).describe('Includes archived benchmarks, such as those of tuning sessions.'),
    }),
    response: Leaderboard,
  },
  getScoreHistory: {
    route: 'GET /v1/score-history',
    summary: 'Read the scores of models on one profile over time',
    description:
      'Of all runs that are not archived. Changes are found by the detector of monitors over the scores of single tasks, one false alarm in 10,000 scores on average, against the interval of the first run or of the last change, with a tolerance of 2 points.',
    scope: 'runs:read',
    computes: true,
    query: z.strictObject({
      profile_id: z.string().min(1).max(300).optional().describe('Without one only the profiles are listed.'),
      model: z.string().min(1).max(500).optional().describe('As in the entries of the leaderboard; every model without it.'),
    }),
    response: ScoreHistory,
  },
  listRunBatches: {
    route: 'GET /v1/runs/{run_id}/batches',
    summary: 'List the batches of a run in batch mode',
    description: 'Oldest first; empty for other runs. Answers arrive when a batch has ended, at most 24 h after its submission.',
    scope: 'runs:read',
    params: z.strictObject({ run_id: Uuid }),
    response: z.strictObject({ items: z.array(RunBatch) }),
  },
  getAttackMatrix: {
    route: 'GET /v1/runs/{run_id}/attacks',
    summary: 'Read what attacks did to a run',
    description: 'By attack: how often the attacker reached its goal, and success under attack beside success without, paired by task.',
    scope: 'runs:read',
    params,
    response: AttackMatrix,
  },
})
