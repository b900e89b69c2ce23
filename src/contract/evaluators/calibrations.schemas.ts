import { z } from 'zod'
import { MicroUsd, Timestamp, Uuid } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { calibrationMachine } from './calibration.machine.ts'
import { draftMachine } from './draft.machine.ts'
import { EvaluatorDefinition } from './evaluator-definition.schemas.ts'

const Seed = z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1)
const Cap = MicroUsd.optional().describe('Spending limit of its judge calls; required where they have a known price.')

export const CalibrationMinimum = z
  .strictObject({ kappa: z.number().min(-1).max(1).default(0.4), balanced_accuracy: z.number().min(0).max(1).default(0.7) })
  .meta({ id: 'CalibrationMinimum' })

export const NewCalibration = z
  .strictObject({
    evaluator_version_id: Uuid,
    dataset_version_id: Uuid,
    seed: Seed.describe('Splits the labeled examples where a threshold is chosen.'),
    holdout: z
      .number()
      .min(0.1)
      .max(0.9)
      .default(0.5)
      .describe('Share of the labeled examples that a chosen threshold is reported on; ignored without one.'),
    level: z.number().min(0.5).max(0.999).default(0.95).describe('Coverage of the intervals.'),
    minimum: CalibrationMinimum.default(() => CalibrationMinimum.parse({})).describe(
      'What the lower ends of the intervals must reach for `usable`.',
    ),
    max_charge_microusd: Cap,
  })
  .meta({ id: 'NewCalibration' })

const Interval = z.strictObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() })

export const Confusion = z
  .strictObject({
    labels: z.array(z.string()),
    counts: z.array(z.array(z.int().min(0))).describe('Rows are labels, columns verdicts, both in the order of `labels`.'),
    unscored: z.array(z.int().min(0)).describe('Examples of each label without a verdict.'),
  })
  .meta({ id: 'Confusion' })

export const CalibrationThreshold = z
  .strictObject({
    value: z.number().describe('A score from here on passes.'),
    chosen_on: z.int().min(0).describe('Examples it was chosen on.'),
    reported_on: z.int().min(0).describe('Other examples, which every figure is about.'),
    curve: z.array(
      z.strictObject({ threshold: z.number(), sensitivity: z.number(), specificity: z.number(), balanced_accuracy: z.number() }),
    ),
  })
  .meta({ id: 'CalibrationThreshold' })

/** What a judge cost, whoever was paid. */
export const JudgeSpending = z
  .strictObject({
    calls: z.int().min(0),
    possibly_billed_twice: z.int().min(0).describe('Calls in flight when the service stopped, which were retried.'),
    input_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
    charged_microusd: MicroUsd,
    provider_billed_microusd: MicroUsd,
  })
  .meta({ id: 'JudgeSpending' })

const figures = {
  n: z.int().min(0).nullable().describe('Labeled examples that the figures are about.'),
  unscored: z.int().min(0).nullable().describe('Of them without a verdict; in no figure.'),
  unscored_reasons: z.array(z.strictObject({ reason: z.string(), count: z.int() })),
  confusion: Confusion.nullable(),
  agreement: Estimate.nullable(),
  balanced_accuracy: Estimate.nullable(),
  kappa: Estimate.nullable().describe('Cohen’s; of scores with quadratic weights.'),
  ac1: Estimate.nullable(),
  sensitivity: Estimate.nullable().describe('Of two labels: share of the first that gets it.'),
  specificity: Estimate.nullable(),
  threshold: CalibrationThreshold.nullable(),
  position_flip_rate: Estimate.nullable().describe('Share of swapped pairs whose verdict changed with the order.'),
  corrected_pass_rate: z
    .strictObject({ raw: Estimate, rogan_gladen: Estimate, lang_reiczigel_interval: Interval.nullable() })
    .nullable()
    .describe('Of the version’s unlabeled examples; null where it has none.'),
  ppi: Estimate.nullable().describe('Pass rate by prediction-powered inference over labeled and unlabeled examples.'),
  verdict: z.enum(['usable', 'weak', 'uninformative']).nullable(),
  reasons: z.array(z.string()).describe('Why it is not usable.'),
  disagreements: z.int().min(0).nullable(),
}

export const Calibration = z
  .strictObject({
    id: Uuid,
    status: z.enum(calibrationMachine.states),
    job_id: Uuid,
    evaluator_version_id: Uuid,
    evaluator_id: Uuid,
    evaluator_name: z.string(),
    evaluator_version: z.int(),
    dataset_version_id: Uuid,
    dataset_id: Uuid,
    seed: z.int(),
    holdout: z.number(),
    level: z.number(),
    minimum: CalibrationMinimum,
    max_charge_microusd: MicroUsd.nullable(),
    progress: z.strictObject({ done: z.int(), total: z.int() }),
    spending: JudgeSpending,
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    ...figures,
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Calibration' })

/** One example of a calibration: what people said, what the evaluator said, and why. */
export const CalibrationItem = z
  .strictObject({
    example_id: Uuid,
    revision: z.int(),
    label: z.string().nullable(),
    verdict: z.string().nullable().describe('Null: unscored.'),
    agrees: z.boolean().nullable(),
    value: z.number().nullable(),
    explanation: z.string(),
    flips: z.int().min(0).describe('Votes that changed with the order of the outputs.'),
    votes: z.array(z.strictObject({ judge: z.int(), vote: z.int(), verdict: z.string().nullable(), reason: z.string() })),
  })
  .meta({ id: 'CalibrationItem' })

export const NewDraft = z
  .strictObject({
    dataset_version_id: Uuid,
    mode: z.enum(['heuristic', 'model']).describe('`heuristic` calls no model; `model` has one write judge instructions.'),
    model: ModelChoice.optional().describe('Required for `model`: it writes the instructions and judges by them.'),
    goal: z.string().max(5000).optional().describe('What the evaluator should decide, in a few words.'),
    seed: Seed,
    max_charge_microusd: Cap,
  })
  .meta({ id: 'NewDraft' })

export const DraftCandidate = z
  .strictObject({
    definition: EvaluatorDefinition,
    agreement: Estimate.describe(
      'With the labels, on examples that took no part in fitting; an unscored example counts as a disagreement.',
    ),
    kappa: z.number().nullable(),
    unscored: z.int().min(0),
    folds: z.array(z.number()).describe('Agreement in each fold.'),
    threshold: z.number().nullable().describe('Score from which an output passes; null where none was needed.'),
    disagreements: z.array(Uuid).describe('At most 100.'),
  })
  .meta({ id: 'DraftCandidate' })

export const Draft = z
  .strictObject({
    id: Uuid,
    status: z.enum(draftMachine.states),
    job_id: Uuid,
    dataset_version_id: Uuid,
    mode: z.enum(['heuristic', 'model']),
    goal: z.string().nullable(),
    progress: z.strictObject({ done: z.int(), total: z.int() }),
    spending: JudgeSpending,
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    majority: z
      .strictObject({ label: z.string(), share: z.number() })
      .nullable()
      .describe('The commonest label: what a candidate has to beat.'),
    beats_majority: z.boolean().nullable().describe('Whether the interval of any candidate lies above the majority’s share.'),
    candidates: z.array(DraftCandidate).describe('The lower end of the agreement’s interval decides the order.'),
    rejected: z.array(z.strictObject({ reason: z.string() })),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Draft' })

export type Calibration = z.infer<typeof Calibration>
export type CalibrationItem = z.infer<typeof CalibrationItem>
export type NewCalibration = z.infer<typeof NewCalibration>
export type JudgeSpending = z.infer<typeof JudgeSpending>
export type Confusion = z.infer<typeof Confusion>
export type NewDraft = z.infer<typeof NewDraft>
export type Draft = z.infer<typeof Draft>
export type DraftCandidate = z.infer<typeof DraftCandidate>
