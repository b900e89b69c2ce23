import { z } from 'zod'
import { JsonObject, MicroUsd, Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { JudgeSpending, JudgeVote } from './calibrations.schemas.ts'
import { EvaluatorDefinition } from './evaluator-definition.schemas.ts'
import { ScoreClass } from '../runs/score-class.ts'

export const CalibrationRef = named('CalibrationRef', {
  status: z.enum(['none', 'stale', 'current']).describe('`stale`: an earlier version of this evaluator was calibrated, but not this one.'),
  id: Uuid.optional().describe('Latest resolved calibration.'),
  verdict: z.enum(['usable', 'weak', 'uninformative']).optional(),
})

export const NewEvaluator = named('NewEvaluator', {
  name: Name,
  description: z.string().max(5000).default(''),
  previous_version_id: Uuid.nullable().default(null).describe('Latest version of the evaluator to add a version to.'),
  definition: EvaluatorDefinition,
})

/** One immutable version of an evaluator. */
export const EvaluatorSnapshot = named('EvaluatorSnapshot', {
  id: Uuid.describe('Used by other requests as `evaluator_version_id`.'),
  evaluator_id: Uuid.describe('Id of the evaluator across all its versions.'),
  version: z.int().min(1),
  previous_version_id: Uuid.nullable(),
  latest: z.boolean(),
  name: Name,
  description: z.string(),
  definition: EvaluatorDefinition.describe('Definition with all defaults filled in.'),
  digest: Sha256.describe('Digest of the definition, the versions of its scorers and its parts.'),
  requires: z.strictObject({
    model_calls_per_output: z.int().min(0).describe('Judge calls per output, excluding retries and repair prompts.'),
    sandbox: z.boolean().describe('Whether it runs model-written code.'),
  }),
  protocol: z
    .strictObject({ name: z.string(), revision: z.int().min(1) })
    .nullable()
    .describe('Protocol in which a remote scorer is asked, whenever the version was saved; null for other kinds.'),
  calibration: CalibrationRef,
  created_at: Timestamp,
})

/** An output to try a definition on. */
export const TryEvaluator = named('TryEvaluator', {
  definition: EvaluatorDefinition,
  input: z.string().max(1_000_000).default(''),
  output: z.union([z.string().max(1_000_000), z.strictObject({ a: z.string().max(500_000), b: z.string().max(500_000) })]),
  expected: z.union([z.string().max(1_000_000), z.array(z.string().max(100_000)).max(100)]).optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
})

const span = z.strictObject({ start: z.int().min(0), end: z.int().min(0) }).nullable()

export const TriedEvaluator = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('verdict'),
      value: z.number().nullable(),
      class: ScoreClass,
      answer: z.string().nullable(),
      span: span.describe('Where the answer is in the output, in UTF-16 code units.'),
      explanation: z.string(),
      duration_ms: z.number(),
    }),
    z.strictObject({
      kind: z.literal('prompt'),
      questions: z
        .array(
          z.strictObject({
            judge: z.int().min(0),
            order: z.enum(['ab', 'ba']),
            criterion: z.string().nullable(),
            messages: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
          }),
        )
        .describe('Prompts for the first judge, one per order and criterion. Each prompt has a new random boundary.'),
      model_calls_per_output: z.int(),
      estimated_microusd: MicroUsd.nullable().describe('Of asking about this output; null where rates are not known.'),
      upper_bound_microusd: MicroUsd.nullable().describe('Cost if every reply used max output tokens and every question was repaired.'),
    }),
    z.strictObject({
      kind: z.literal('request'),
      request: z.record(z.string(), z.unknown()).describe('Body that the remote scorer would be sent.'),
    }),
  ])
  .meta({ id: 'TriedEvaluator' })

export const NewEvaluatorTrial = TryEvaluator.extend({
  max_charge_microusd: MicroUsd.optional().describe('Spending limit of its calls; required where they have a known price.'),
}).meta({ id: 'NewEvaluatorTrial' })

export const EvaluatorTrial = named('EvaluatorTrial', {
  value: z.number().nullable(),
  class: ScoreClass,
  explanation: z.string(),
  votes: z.array(JudgeVote),
  spending: JudgeSpending,
})

export const PreviewRequest = named('PreviewRequest', { evaluator_version_id: Uuid, dataset_version_id: Uuid, example_id: Uuid })

export const Preview = named('Preview', {
  value: z.number().nullable(),
  class: ScoreClass,
  answer: z.string().nullable(),
  span,
  explanation: z.string(),
  label: z.union([z.string(), z.number()]).nullable().describe('The example’s consensus.'),
  verdict: z.string().nullable().describe('Score as one of the dataset’s labels; null if not applicable.'),
  agrees: z.boolean().nullable().describe('Null without a label or a verdict.'),
  duration_ms: z.number(),
})

export const JudgePreset = named('JudgePreset', {
  id: z.string(),
  title: z.string(),
  description: z.string(),
  definition: z.record(z.string(), z.unknown()).describe('A model-graded definition without `judges`.'),
})

export const EvaluatorOptions = named('EvaluatorOptions', {
  scorers: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      runs_code: z.boolean(),
      equals: z
        .string()
        .nullable()
        .describe(
          'Release of the tool whose verdicts the scorer reproduces, such as `inspect_ai 0.3.260`; null for Assay’s own and for tools without releases.',
        ),
      options_schema: JsonObject.describe('JSON Schema of the scorer’s options, with their defaults.'),
    }),
  ),
  presets: z.array(JudgePreset),
})

export type EvaluatorOptions = z.infer<typeof EvaluatorOptions>
export type CalibrationRef = z.infer<typeof CalibrationRef>
export type NewEvaluator = z.infer<typeof NewEvaluator>
export type EvaluatorSnapshot = z.infer<typeof EvaluatorSnapshot>
export type TryEvaluator = z.infer<typeof TryEvaluator>
export type TriedEvaluator = z.infer<typeof TriedEvaluator>
export type NewEvaluatorTrial = z.infer<typeof NewEvaluatorTrial>
export type EvaluatorTrial = z.infer<typeof EvaluatorTrial>
export type Preview = z.infer<typeof Preview>
export type PreviewRequest = z.infer<typeof PreviewRequest>
