import { z } from 'zod'
import { Generation } from '../catalog/benchmarks.schemas.ts'
import { Effort } from '../catalog/models.schemas.ts'
import { AudioPart, DocumentPart, ImagePart, messageLimits, TextPart } from '../messages/messages.schemas.ts'
import { JsonObject, Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'

/** Cases of one session. */
export const mostCases = 10_000
/** Bytes of one case as canonical JSON. */
export const largestCase = 256 * 1024
/** Cases that a draft shows inline; the rest are listed page by page. */
export const casesShown = 1000

const Template = z.string().min(1).max(100_000)

/** Source location of the call to improve. */
export const TuneCallSource = named('TuneCallSource', {
  kind: z.enum(['code', 'trace', 'manual']),
  language: z.string().max(50).optional().describe('Of the snippet, e.g. `python`.'),
  snippet: z.string().max(100_000).optional().describe('The code that makes the call. Stored and shown as text, never run.'),
  path: z.string().max(1000).optional(),
  trace_id: z.string().max(200).optional(),
})

/** The model call to improve, as in the current code. */
export const TuneCall = named('TuneCall', {
  source: TuneCallSource.default({ kind: 'manual' }),
  model: ModelChoice,
  effort: Effort.nullable().default(null).describe('Null if the code sets none.'),
  system_prompt: z.string().max(100_000).nullable().default(null),
  prompt_template: Template.describe('User message; `{input}` is replaced by the case’s input.'),
  parameters: z
    .strictObject({
      temperature: Generation.shape.temperature.default(null).describe('Null sends none; the provider’s default applies.'),
      max_output_tokens: Generation.shape.max_output_tokens.default(1024),
      stop: Generation.shape.stop.default([]),
      top_p: z.exactOptional(z.number().gt(0).max(1)).describe('Sent with every call. Absent: the connection’s, if it has one.'),
      seed: z
        .exactOptional(z.int().min(0).max(Number.MAX_SAFE_INTEGER))
        .describe('Sent with every call as the model’s `seed`. Absent: the connection’s, if it has one.'),
    })
    .default({ temperature: null, max_output_tokens: 1024, stop: [] }),
  response_schema: JsonObject.nullable()
    .default(null)
    .describe('JSON Schema that answers should satisfy. Exported with the call; not sent to the model.'),
})

/** How an answer is graded: by an evaluator of the workspace, or by one scorer. */
export const TuneGrader = z
  .union([
    z.strictObject({ evaluator_version_id: Uuid }),
    z.strictObject({ scorer: z.string().min(1).max(200), options: JsonObject.default({}) }),
  ])
  .meta({ id: 'TuneGrader' })

const originKinds = ['trace', 'example', 'sample', 'import', 'generated'] as const

export const TuneOrigin = named('TuneOrigin', {
  kind: z.enum(originKinds),
  ref: z.string().min(1).max(500).describe('Id of what the case was made from.'),
  digest: Sha256.describe('SHA-256 of the canonical JSON of `{input, expected, metadata}`.'),
})

const Input = z
  .union([
    z.string(),
    z
      .array(z.discriminatedUnion('type', [TextPart, ImagePart, AudioPart, DocumentPart]))
      .min(1)
      .max(messageLimits.parts),
    JsonObject,
  ])
  .describe(
    'Text; parts of a message, whose media were uploaded with POST /v1/media; or an object that is put into the prompt as canonical JSON.',
  )
const Expected = z.union([z.string(), z.array(z.string()).min(1).max(100)]).describe('Reference answer; of several any one counts.')

/** A case as sent by clients. */
export const NewTuneCase = named('NewTuneCase', {
  id: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}]+$/u, 'must not hold control characters')
    .optional()
    .describe('Chosen by the client, or made by the service when absent.'),
  input: Input,
  expected: Expected.nullable().default(null),
  metadata: JsonObject.default({}),
  cluster: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Cases of one cluster depend on one another, e.g. one conversation.'),
  origin: z
    .strictObject({ kind: TuneOrigin.shape.kind, ref: TuneOrigin.shape.ref })
    .optional()
    .describe('Only for new cases; read-only afterwards.'),
})

export const TuneCase = named('TuneCase', {
  id: z.string(),
  input: Input,
  expected: Expected.nullable(),
  metadata: JsonObject,
  cluster: z.string().nullable(),
  origin: TuneOrigin.nullable().describe('Null once the case is edited, or if it has no source.'),
  edited: z.strictObject({ by: z.string(), at: Timestamp }).nullable().describe('The edit that removed the origin.'),
})

export const TuneObjective = named('TuneObjective', {
  margin: z.number().gt(0).lt(1).default(0.05).describe('Largest loss of quality that is acceptable, on the scale of the scores (0 to 1).'),
  confidence: z.number().min(0.5).max(0.9999).default(0.95).describe('Confidence that no recommended arm is worse by the margin or more.'),
  max_latency_ms: z.int().min(1).max(86_400_000).optional().describe('Arms whose p95 may exceed it are not recommended.'),
  planned_groups: z.int().min(1).max(20).default(1).describe('Run groups that share the error rate; more are exploratory.'),
  better_price_factor: z
    .number()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Also recommends a candidate that is better than the current call, where it costs at most this many times as much per case: 1 is no more. It is tested for superiority by the same sequential test, at an error rate of its own, alpha / candidates. Absent: only cheaper candidates are recommended.',
    ),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1).describe('Orders the cases by SHA-256 of `seed:case_id`.'),
})

export const TuneDraft = named('TuneDraft', {
  revision: z.int().min(1),
  name: Name,
  call: TuneCall.nullable(),
  grader: TuneGrader.nullable(),
  objective: TuneObjective,
  case_count: z.int().min(0),
  cases: z.array(TuneCase).describe(`The first, at most ${casesShown}; GET /v1/tune-sessions/{session_id}/cases lists all.`),
  detectable_margin: z
    .number()
    .nullable()
    .describe(
      'Smallest margin at which one candidate as good as the current call is accepted four times in five, if the two differ on every fifth case; null without cases.',
    ),
  missing: z.array(z.string()).describe('What approval still needs; empty when the draft is complete.'),
  updated_at: Timestamp,
})

export const TuneDraftPatch = named('TuneDraftPatch', {
  revision: z.int().min(1).describe('Revision that the edit is based on; must be the current one.'),
  name: Name.optional(),
  call: TuneCall.optional(),
  grader: TuneGrader.optional(),
  objective: TuneObjective.optional(),
  cases: z
    .strictObject({
      upsert: z.array(NewTuneCase).max(mostCases).optional().describe('Adds cases, or replaces those with the same id.'),
      remove: z.array(z.string().max(200)).max(mostCases).optional(),
    })
    .optional(),
})

export type TuneCall = z.infer<typeof TuneCall>
export type TuneGrader = z.infer<typeof TuneGrader>
export type TuneOrigin = z.infer<typeof TuneOrigin>
export type NewTuneCase = z.infer<typeof NewTuneCase>
export type TuneCase = z.infer<typeof TuneCase>
export type TuneObjective = z.infer<typeof TuneObjective>
export type TuneDraft = z.infer<typeof TuneDraft>
export type TuneDraftPatch = z.infer<typeof TuneDraftPatch>
