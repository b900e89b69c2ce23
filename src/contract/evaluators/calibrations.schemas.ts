import { z } from 'zod'
import { MicroUsd, named, Timestamp, Uuid } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { calibrationMachine } from './calibration.machine.ts'
import { draftMachine } from './draft.machine.ts'
import { EvaluatorDefinition } from './evaluator-definition.schemas.ts'

const Seed = z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1)
const Cap = MicroUsd.optional().describe('Spending limit of its judge calls; required where they have a known price.')

export const CalibrationMinimum = named('CalibrationMinimum', {
  kappa: z.number().min(-1).max(1).default(0.4),
  balanced_accuracy: z.number().min(0).max(1).default(0.7),
})

export const NewCalibration = named('NewCalibration', {
  evaluator_version_id: Uuid,
  dataset_version_id: Uuid,
  seed: Seed.describe('Splits the labeled examples where a threshold is chosen.'),
  holdout: z
    .number()
    .min(0.1)
    .max(0.9)
    .default(0.5)
    .describe('Fraction of labeled examples held out to report a chosen threshold; ignored without one.'),
  level: z.number().min(0.5).max(0.999).default(0.95).describe('Coverage of the intervals.'),
  minimum: CalibrationMinimum.default(() => CalibrationMinimum.parse({})).describe('Minimum lower interval bounds for `usable`.'),
  max_charge_microusd: Cap,
})

export const NewCalibrationQuote = NewCalibration.pick({ evaluator_version_id: true, dataset_version_id: true }).meta({
  id: 'NewCalibrationQuote',
})

/** What a calibration would take. Nothing is reserved by it. */
export const CalibrationQuote = named('CalibrationQuote', {
  examples: z.int().min(0),
  judge_calls: z.int().min(0).describe('Excluding retries and repair prompts; 0 for evaluators that call no model.'),
  estimated_microusd: MicroUsd.nullable().describe('Wallet and providers together; null where a judge’s rates are not known.'),
  upper_bound_microusd: MicroUsd.nullable().describe('Cost if every reply used max output tokens and every question was repaired.'),
})

export const CalibrationChanges = named('CalibrationChanges', {
  max_charge_microusd: MicroUsd.describe('Limit of all its judge calls together, those already made included; at least what they cost.'),
})

const Interval = z.strictObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() })

export const Confusion = named('Confusion', {
  labels: z.array(z.string()),
  counts: z.array(z.array(z.int().min(0))).describe('Rows are labels, columns verdicts, both in the order of `labels`.'),
  unscored: z.array(z.int().min(0)).describe('Examples of each label without a verdict.'),
})

export const CalibrationThreshold = named('CalibrationThreshold', {
  value: z.number().describe('Scores at or above this pass.'),
  chosen_on: z.int().min(0).describe('Examples used to choose it.'),
  reported_on: z.int().min(0).describe('Held-out examples, on which all figures are reported.'),
  curve: z.array(
    z.strictObject({ threshold: z.number(), sensitivity: z.number(), specificity: z.number(), balanced_accuracy: z.number() }),
  ),
})

export const JudgeVote = z.strictObject({ judge: z.int(), vote: z.int(), verdict: z.string().nullable(), reason: z.string() })

/** Total judge cost: wallet charges and provider billing. */
export const JudgeSpending = named('JudgeSpending', {
  calls: z.int().min(0),
  possibly_billed_twice: z
    .int()
    .min(0)
    .describe(
      'Calls that timed out, were cut off or got a reply that could not be read: the provider may have billed them and their retries.',
    ),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  charged_microusd: MicroUsd,
  provider_billed_microusd: MicroUsd,
})

/** What a calibration found; null and empty until it has ended. */
export const CalibrationFigures = z.strictObject({
  n: z.int().min(0).nullable().describe('Labeled examples that the figures are based on.'),
  unscored: z.int().min(0).nullable().describe('Labeled examples without a verdict; excluded from all figures.'),
  unscored_reasons: z.array(z.strictObject({ reason: z.string(), count: z.int() })),
  confusion: Confusion.nullable(),
  agreement: Estimate.nullable(),
  balanced_accuracy: Estimate.nullable(),
  kappa: Estimate.nullable().describe('Cohen’s kappa; with quadratic weights for scores.'),
  ac1: Estimate.nullable(),
  sensitivity: Estimate.nullable().describe('With two labels: fraction of the first label that is recognized.'),
  specificity: Estimate.nullable(),
  threshold: CalibrationThreshold.nullable(),
  position_flip_rate: Estimate.nullable().describe('Share of swapped pairs whose verdict changed with the order.'),
  self_preference: z
    .strictObject({
      families: z.array(z.string()).describe('Model families of the judges that also wrote judged outputs.'),
      own: z.int().min(0).describe('Labeled outputs of the judges’ own families.'),
      others: z.int().min(0).describe('Labeled outputs of other families.'),
      difference: Estimate.describe(
        'How much more often the judge passes its own family than people do, beyond what it does for others; from -1 to 1.',
      ),
    })
    .nullable()
    .default(null)
    .describe('Where examples name the model of their output (`metadata.model`) and it is of the judge’s own family; null otherwise.'),
  corrected_pass_rate: z
    .strictObject({ raw: Estimate, rogan_gladen: Estimate, lang_reiczigel_interval: Interval.nullable() })
    .nullable()
    .describe('For the version’s unlabeled examples; null if it has none.'),
  ppi: Estimate.nullable().describe('Pass rate by prediction-powered inference over labeled and unlabeled examples.'),
  verdict: z.enum(['usable', 'weak', 'uninformative']).nullable(),
  reasons: z.array(z.string()).describe('Reasons why it is not usable.'),
  disagreements: z.int().min(0).nullable(),
})

export const Calibration = named('Calibration', {
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
  ...CalibrationFigures.shape,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

/** One example of a calibration: human label, evaluator verdict and reason. */
export const CalibrationItem = named('CalibrationItem', {
  example_id: Uuid,
  revision: z.int(),
  label: z.string().nullable(),
  verdict: z.string().nullable().describe('Null: unscored.'),
  agrees: z.boolean().nullable(),
  value: z.number().nullable(),
  explanation: z.string(),
  flips: z.int().min(0).describe('Votes that changed with the order of the outputs.'),
  votes: z.array(JudgeVote),
})

export const NewDraft = named('NewDraft', {
  dataset_version_id: Uuid,
  mode: z.enum(['heuristic', 'model']).describe('`heuristic` calls no model; `model` has one write judge instructions.'),
  model: ModelChoice.optional().describe('Required for `model`: writes the instructions and judges with them.'),
  goal: z.string().max(5000).optional().describe('What the evaluator should decide, in a few words.'),
  seed: Seed,
  max_charge_microusd: Cap,
})

export const DraftCandidate = named('DraftCandidate', {
  definition: EvaluatorDefinition,
  agreement: Estimate.describe('Agreement with the labels on examples not used for fitting; unscored examples count as disagreements.'),
  kappa: z.number().nullable(),
  unscored: z.int().min(0),
  folds: z.array(z.number()).describe('Agreement in each fold.'),
  threshold: z.number().nullable().describe('Score at or above which an output passes; null if none was needed.'),
  disagreements: z.array(Uuid).describe('At most 100.'),
})

export const Draft = named('Draft', {
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
    .describe('Most frequent label: the baseline for candidates.'),
  beats_majority: z.boolean().nullable().describe('Whether the interval of any candidate lies above the majority’s share.'),
  candidates: z.array(DraftCandidate).describe('Sorted by the lower interval bound of the agreement.'),
  rejected: z.array(z.strictObject({ reason: z.string() })),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export type CalibrationQuote = z.infer<typeof CalibrationQuote>
export type CalibrationThreshold = z.infer<typeof CalibrationThreshold>
export type CalibrationFigures = z.infer<typeof CalibrationFigures>
export type Calibration = z.infer<typeof Calibration>
export type CalibrationItem = z.infer<typeof CalibrationItem>
export type CalibrationChanges = z.infer<typeof CalibrationChanges>
export type NewCalibration = z.infer<typeof NewCalibration>
export type JudgeSpending = z.infer<typeof JudgeSpending>
export type Confusion = z.infer<typeof Confusion>
export type NewDraft = z.infer<typeof NewDraft>
export type Draft = z.infer<typeof Draft>
export type DraftCandidate = z.infer<typeof DraftCandidate>
