import { z } from 'zod'
import { MicroUsd, Timestamp, Uuid } from '../primitives.ts'
import { sampleStates } from './run.machine.ts'

export const ScoreClass = z
  .enum(['correct', 'wrong', 'partial', 'unscored', 'provider_error', 'too_slow', 'refused'])
  .describe('`unscored` never counts as wrong.')

export const SampleScore = z
  .strictObject({
    metric: z.string(),
    scorer: z.string(),
    value: z.number().nullable().describe('In [0, 1]; null where there is no verdict.'),
    class: ScoreClass,
    answer: z.string().nullable().describe('What was extracted from the output.'),
  })
  .meta({ id: 'SampleScore' })

const ErrorNote = z.strictObject({ code: z.string(), message: z.string() })

const sampleFields = {
  id: Uuid,
  run_id: Uuid,
  position: z.int().min(0).describe('Place in the run, from 0.'),
  profile_id: z.string(),
  task_id: z.string(),
  epoch: z.int().min(1),
  status: z.enum(sampleStates),
  passed: z.boolean().nullable().describe('Whether the primary metric is 1; null while or where there is no verdict.'),
  scores: z.array(SampleScore),
  error: ErrorNote.nullable(),
  attempts: z.int().min(0),
  latency_ms: z.number().nullable().describe('Of the attempt that answered, from sending to the last byte.'),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  cached: z.boolean().describe('From the cache: latency, tokens and cost are those of the original answer, and no model call was made.'),
  finished_at: Timestamp.nullable(),
}

export const Sample = z
  .strictObject({
    ...sampleFields,
    input_preview: z.string().describe('First characters of the task’s input.'),
    target_preview: z.string().nullable().describe('First 200 characters of the first target; null where the task has none.'),
    output_preview: z.string().nullable().describe('First 200 characters of the answer.'),
    mark: z
      .enum(['filtered', 'cut_off', 'empty'])
      .nullable()
      .describe(
        'How the answer ended, where a reader must know: kept back by the provider’s filter, cut off at a token limit, or without text.',
      ),
  })
  .meta({ id: 'Sample' })

/** What was said in one turn of an episode. */
const EpisodeMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z.array(z.strictObject({ name: z.string(), arguments: z.string().describe('As the model wrote them.') })),
})

/** How the task of an environment was played. */
export const SampleEpisode = z
  .strictObject({
    ended: z
      .enum(['answered', 'over', 'turn_limit'])
      .describe('By the model’s answer, by the task itself, or because its turns were used up.'),
    turns: z.int().min(1),
    answer: z.string().nullable(),
    messages: z.array(EpisodeMessage).describe('The whole conversation, prompt and tools included.'),
    state: z.record(z.string(), z.unknown()).describe('How the world stood at the end.'),
  })
  .meta({ id: 'SampleEpisode' })
export type SampleEpisode = z.infer<typeof SampleEpisode>

/** One try at a sample's model call, as it went over the wire. Secrets are cut from headers. */
export const Attempt = z
  .strictObject({
    number: z.int().min(1),
    status: z
      .enum(['started', 'answered', 'failed', 'unknown'])
      .describe('`unknown`: in flight when the service stopped, possibly billed.'),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    latency_ms: z.number().nullable(),
    error: ErrorNote.nullable(),
    http_status: z.int().nullable(),
    request: z.string().nullable().describe('Body as sent, byte for byte.'),
    response: z.string().nullable().describe('Body as received, byte for byte, up to the size limit.'),
    input_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    tokens_source: z.enum(['provider', 'tokenizer']).nullable(),
    charged_microusd: MicroUsd,
    provider_billed_microusd: MicroUsd.nullable().describe(
      'What the connection’s provider bills for it by its stated rates; null where it states none. Of a cached answer, what it cost when it was given.',
    ),
    cached: z.boolean().describe('Taken from the cache: times and cost are those of the answer when it was given.'),
    earlier_calls: z
      .array(z.strictObject({ request: z.string().nullable(), response: z.string().nullable() }))
      .describe('Calls before `request` and `response`, oldest first, where one attempt takes several.'),
    notes: z
      .array(
        z.strictObject({
          code: z.enum([
            'parameter_dropped',
            'parameter_adapted',
            'parameter_refused',
            'prompt_truncated',
            'answer_filtered',
            'answer_cut_off',
            'answer_empty',
            'usage_ignored',
          ]),
          message: z.string(),
        }),
      )
      .describe('What a reader should know of the call, e.g. a setting that the provider does not take.'),
  })
  .meta({ id: 'Attempt' })

export const SampleDetail = z
  .strictObject({
    ...sampleFields,
    title: z.string().describe('Benchmark and task, for headings.'),
    messages: z
      .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
      .describe('The prompt as sent.'),
    output: z.string().nullable(),
    episode: SampleEpisode.nullable().describe('For tasks of an environment, read from `output`; null otherwise.'),
    finish_reason: z.string().nullable(),
    targets: z.array(z.string()),
    choices: z.array(z.string()).nullable(),
    score_details: z.array(
      z.strictObject({
        metric: z.string(),
        title: z.string(),
        scorer: z.string(),
        scorer_version: z.int(),
        value: z.number().nullable(),
        class: ScoreClass,
        answer: z.string().nullable(),
        answer_span: z
          .strictObject({ start: z.int(), end: z.int() })
          .nullable()
          .describe('Position of the answer in `output`, in UTF-16 code units, end exclusive.'),
        explanation: z.string(),
      }),
    ),
    attempt_log: z.array(Attempt),
    previous_id: Uuid.nullable(),
    next_id: Uuid.nullable(),
  })
  .meta({ id: 'SampleDetail' })

/** How a sample turned out, in one letter each: what a picture of a whole run needs of it. */
export const outcomeCodes = {
  correct: 'c',
  wrong: 'w',
  partial: 'p',
  unscored: 'u',
  failed: 'f',
  missing: 'm',
  active: 'a',
  pending: '.',
} as const
export const sampleVerdicts = Object.keys(outcomeCodes) as [SampleVerdict, ...SampleVerdict[]] // Object.keys has the keys it was given
export type SampleVerdict = keyof typeof outcomeCodes

export const SampleOutcomes = z
  .strictObject({
    codes: z
      .string()
      .regex(/^[cwpufma.]*$/)
      .describe(
        'One letter per sample in the order of the run: c correct (primary value 1), w wrong (0), p partial (between), u unscored, f failed, m missing, excluded or cancelled, a in progress, `.` waiting.',
      ),
  })
  .meta({ id: 'SampleOutcomes' })

export const sampleSorts = ['position', '-position', 'value', '-value', 'latency', '-latency', 'output_tokens', '-output_tokens'] as const

export type Sample = z.infer<typeof Sample>
export type SampleDetail = z.infer<typeof SampleDetail>
export type Attempt = z.infer<typeof Attempt>
export type SampleScore = z.infer<typeof SampleScore>
