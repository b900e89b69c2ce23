import { z } from 'zod'
import { named, Uuid } from '../primitives.ts'

const Model = z.string().trim().min(1).max(200)

const mostStyles = 8
/** Rows of a request. */
export const mostBattles = 50_000
/** Battles in all, with how often each was fought alike. */
export const mostFought = 200_000

/** One battle: the answers of two models to one question, and which was preferred. */
const RankedBattle = z
  .strictObject({
    model_a: Model,
    model_b: Model,
    winner: z.enum(['model_a', 'model_b', 'tie']),
    times: z
      .int()
      .min(1)
      .max(mostFought)
      .optional()
      .describe(
        'Battles that ended so, 1 when absent: 100,000 battles of 20 models are a few hundred rows. Elo takes them one after another.',
      ),
    style: z
      .record(z.string().min(1).max(60), z.tuple([z.number().min(0), z.number().min(0)]))
      .refine(style => Object.keys(style).length <= mostStyles, `must have at most ${mostStyles} amounts`)
      .optional()
      .describe(
        'At most 8 amounts in the answers of `model_a` and `model_b`, such as `{"tokens": [120, 80]}`. Needed in every battle or in none.',
      ),
  })
  .refine(({ model_a: a, model_b: b }) => a !== b, { message: 'must be of two different models', path: ['model_b'] })
  .meta({ id: 'RankedBattle' })

export const NewRanking = named('NewRanking', {
  battles: z
    .array(RankedBattle)
    .max(mostBattles)
    .default([])
    .describe(
      'At least 2, unless calibrations give them. A request holds at most 400,000 values, which is about 25,000 battles with four amounts of style each. At most 200,000 in all with `times`.',
    ),
  calibration_ids: z
    .array(Uuid)
    .max(20)
    .default([])
    .describe(
      'Calibrations of pairwise evaluators: each verdict is one more battle between the models that its example names in `metadata.model_a` and `metadata.model_b`, with the style `characters`. Needs the scope `evaluators:read`.',
    ),
  method: z
    .enum(['bradley_terry', 'elo'])
    .default('bradley_terry')
    .describe('`bradley_terry` takes all battles together; `elo` takes them in their order, starting every model at 1000.'),
  style_control: z
    .boolean()
    .default(false)
    .describe(
      'Ratings beside the weight of each `style`, so that longer or more formatted answers are no advantage. Only for `bradley_terry`.',
    ),
  k: z.number().min(0.1).max(400).default(4).describe('Points that one battle moves at most, for `elo`.'),
  resamples: z.int().min(0).max(1_000).default(200).describe('Bootstrap samples for the intervals; 0 computes none.'),
  seed: z.int().min(0).max(0xffffffff).default(1).describe('The same battles, seed and options give the same ranking.'),
  level: z.number().min(0.8).max(0.999).default(0.95),
})
export type NewRanking = z.infer<typeof NewRanking>

export const ModelRanking = named('ModelRanking', {
  models: z
    .array(
      z.strictObject({
        model: z.string(),
        rating: z.number().describe('Points around 1000: 400 more are odds of ten to one.'),
        interval: z.tuple([z.number(), z.number()]).nullable(),
        rank: z.int().min(1).nullable().describe('One more than the models whose interval lies above this one’s.'),
        battles: z.int().min(1),
        wins: z.int().min(0),
        ties: z.int().min(0),
        losses: z.int().min(0),
      }),
    )
    .describe('Highest rating first.'),
  style_weights: z
    .array(z.strictObject({ style: z.string(), log_odds: z.number() }))
    .describe('What one standard deviation more of a style is worth in the log odds of winning; empty without style control.'),
  battles: z.int().min(2),
  sources: z
    .array(
      z.discriminatedUnion('kind', [
        named('GivenBattles', { kind: z.literal('battles'), battles: z.int().min(1) }),
        named('JudgedBattles', {
          kind: z.literal('calibration'),
          calibration_id: Uuid,
          evaluator_id: Uuid,
          evaluator_name: z.string(),
          evaluator_version: z.int().min(1),
          dataset_version_id: Uuid,
          verdict: z.enum(['usable', 'weak', 'uninformative']).nullable().describe('What the calibration says of the evaluator.'),
          battles: z.int().min(0),
          unscored: z.int().min(0).describe('Pairs without a verdict, which are not ranked.'),
          unnamed: z.int().min(0).describe('Judged pairs that do not name two different models, which are not ranked.'),
        }),
      ]),
    )
    .describe('Where the battles are from, in their order.'),
  resamples: z.int().min(0).describe('Bootstrap samples that had ratings. Below nine tenths there are no intervals.'),
  cautions: z.array(z.string()),
})
export type ModelRanking = z.infer<typeof ModelRanking>
