import { z } from 'zod'
import { AnnotationSummary } from '../annotations/annotations.schemas.ts'
import { TaskExample } from '../evaluators/dataset-benchmarks.schemas.ts'
import { MediaDigest, Message } from '../messages/messages.schemas.ts'
import { MicroUsd, named, Timestamp, Uuid } from '../primitives.ts'
import { CallNotes } from './call-notes.ts'
import { sampleStates } from './run.machine.ts'
import { ScoreClass } from './score-class.ts'

const NoScoreCode = z
  .string()
  .nullable()
  .describe(
    'Why there is no value, such as `ambiguous`, `missing_module`, `newer_python`, `sandbox_lost`, or the code that a remote scorer gave; null where a value is given, or no code is known.',
  )

export const SampleScore = named('SampleScore', {
  metric: z.string(),
  scorer: z.string(),
  value: z.number().nullable().describe('In [0, 1]; null where there is no verdict.'),
  class: ScoreClass,
  code: NoScoreCode,
  answer: z.string().nullable().describe('What was extracted from the output.'),
})

const ErrorNote = z.strictObject({ code: z.string(), message: z.string() })

const sampleFields = {
  id: Uuid,
  run_id: Uuid,
  position: z.int().min(0).describe('Position in the run, from 0.'),
  profile_id: z.string(),
  task_id: z.string(),
  epoch: z.int().min(1),
  status: z.enum(sampleStates),
  passed: z.boolean().nullable().describe('Whether the primary metric is 1; null without a verdict.'),
  scores: z.array(SampleScore),
  error: ErrorNote.nullable(),
  attempts: z.int().min(0),
  latency_ms: z.number().nullable().describe('Latency of the successful attempt, from sending to the last byte.'),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  notices: CallNotes.describe(
    'What a reader of the score must know of the answer: refused, cut off, without text, an unknown ending, another model.',
  ),
  cached: z.boolean().describe('From the cache: latency, tokens and cost are those of the original answer, and no model call was made.'),
  finished_at: Timestamp.nullable(),
}

/** A list reads "B: Finn" from the letter and this. */
export const TargetChoice = z
  .string()
  .nullable()
  .describe('First 200 characters of the choice that the first target names by its letter; null if it names none.')

export const Sample = named('Sample', {
  ...sampleFields,
  input_preview: z.string().describe('First characters of the task’s input.'),
  images: z.array(MediaDigest).describe('The first images that the task shows, at most 3.'),
  target_preview: z.string().nullable().describe('First 200 characters of the first target; null if the task has none.'),
  target_choice: TargetChoice,
  output_preview: z.string().nullable().describe('First 200 characters of the answer.'),
  annotations: AnnotationSummary,
})

/** One turn of an episode. */
const EpisodeMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z.array(z.strictObject({ name: z.string(), arguments: z.string().describe('As written by the model.') })),
})

/** Transcript of an environment task. */
export const SampleEpisode = named('SampleEpisode', {
  ended: z
    .enum(['answered', 'over', 'user_stopped', 'turn_limit', 'call_limit', 'token_limit', 'time_limit', 'tool_errors', 'world_error'])
    .describe('What ended the episode: the model’s answer, the task, its user, a limit, tool errors, or an error of the world itself.'),
  turns: z.int().min(1),
  answer: z.string().nullable(),
  messages: z.array(EpisodeMessage).describe('Whole conversation, including prompt and tools.'),
  state: z.record(z.string(), z.unknown()).describe('Final state of the world.'),
  steps: z
    .array(
      z.strictObject({
        turn: z.int().describe('Of the model, from 1.'),
        calls: z.array(
          z.strictObject({
            name: z.string(),
            arguments: z.record(z.string(), z.unknown()),
            error: z.boolean(),
            simulated: z.exactOptional(z.boolean()).describe('Whether a model played the tool; absent: not.'),
          }),
        ),
        answer: z.exactOptional(z.string()).describe('What the model answered the user, where the task checks single turns.'),
        changes: z
          .array(z.strictObject({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }))
          .describe('What the turn changed in the state, by JSON pointer; a side that is absent was not there.'),
      }),
    )
    .nullable()
    .describe('For environments of a workspace: executed calls and changes of the state, turn by turn; null otherwise.'),
  world_error: z.string().nullable().describe('What failed in the world; null where nothing did.'),
})
export type SampleEpisode = z.infer<typeof SampleEpisode>

/** One attempt at a sample's model call, as sent and received. Secrets are removed from headers. */
export const Attempt = named('Attempt', {
  number: z.int().min(1),
  status: z.enum(['started', 'answered', 'failed', 'unknown']).describe('`unknown`: in flight when the service stopped, possibly billed.'),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
  latency_ms: z.number().nullable(),
  error: ErrorNote.nullable(),
  http_status: z.int().nullable(),
  request: z.string().nullable().describe('Body as sent, byte for byte.'),
  response: z.string().nullable().describe('Body as received, byte for byte, up to the size limit.'),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable().describe('Reasoning included.'),
  cached_input_tokens: z.int().nullable().describe('Input tokens read from the provider’s cache; null if not stated.'),
  cache_write_tokens: z.int().nullable().describe('Input tokens written to the provider’s cache; null if not stated.'),
  reasoning_tokens: z.int().nullable().describe('Output tokens spent on reasoning; null if not stated.'),
  tokens_source: z.enum(['provider', 'tokenizer']).nullable(),
  charged_microusd: MicroUsd,
  provider_billed_microusd: MicroUsd.nullable().describe(
    'Provider billing: the cost that it states, otherwise by the connection’s rates. Null if unknown: neither is stated, a call in flight, cut off or timed out, or a reply or count that could not be read. For a cached answer, the original cost.',
  ),
  cached: z.boolean().describe('From the cache: times and cost are those of the original answer.'),
  earlier_calls: z
    .array(z.strictObject({ request: z.string().nullable(), response: z.string().nullable() }))
    .describe('Calls before `request` and `response`, oldest first, if an attempt needs several.'),
  notes: CallNotes.describe('Notes on the call, e.g. a setting that the provider does not support.'),
})

export const SampleDetail = named('SampleDetail', {
  ...sampleFields,
  title: z.string().describe('Benchmark and task, for headings.'),
  messages: z.array(Message).describe('The prompt as sent. Content that is more than text is a list of parts; media are named by digest.'),
  output: z.string().nullable().describe('The answer without its reasoning; what scorers grade unless the profile says otherwise.'),
  reasoning: z.string().nullable().describe('What the model thought before the answer, as far as it told; null where it told nothing.'),
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
      code: NoScoreCode,
      label: z.exactOptional(z.string()).describe('The verdict in words, where an evaluator or an imported file gives one.'),
      answer: z.string().nullable(),
      answer_span: z
        .strictObject({ start: z.int(), end: z.int() })
        .nullable()
        .describe('Position of the answer in `output`, in UTF-16 code units, end exclusive.'),
      explanation: z.string(),
    }),
  ),
  attempt_log: z.array(Attempt),
  example: TaskExample.nullable().describe('The dataset example that the task was made of; null for tasks from elsewhere.'),
  previous_id: Uuid.nullable(),
  next_id: Uuid.nullable(),
})

/** Sample outcomes, one letter each, for an overview of a whole run. */
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

export const SampleOutcomes = named('SampleOutcomes', {
  codes: z
    .string()
    .regex(/^[cwpufma.]*$/)
    .meta({ example: 'ccwcu.' })
    .describe(
      'One letter per sample in the order of the run: c correct (primary value 1), w wrong (0), p partial (between), u unscored, f failed, m missing, excluded or cancelled, a in progress, `.` waiting.',
    ),
})

/** Why a scored sample is not correct; each sample is in the first group that applies. */
export const sampleGroups = ['refused', 'cut_off', 'unscored', 'no_answer', 'other_form', 'partial', 'wrong'] as const
export type SampleGroup = (typeof sampleGroups)[number]

export const SampleGroups = named('SampleGroups', {
  groups: z.array(
    z.strictObject({
      group: z
        .enum(sampleGroups)
        .describe(
          '`refused`: by the provider or the scorer, or a wrong answer that begins as refusals do. `cut_off`: at the token limit, or reasoning and no answer. `no_answer`: none was extracted. `other_form`: right under a lenient reading (case, punctuation, articles, number format, the target within a short answer); a hint, not a verdict.',
        ),
      code: z.string().nullable().describe('Of `unscored`: the reason, as in `scores`; null where none is known.'),
      count: z.int().min(1),
    }),
  ),
  scored: z.int().min(0).describe('Scored samples, the correct ones included.'),
})
export type SampleGroups = z.infer<typeof SampleGroups>

export const sampleSorts = ['position', '-position', 'value', '-value', 'latency', '-latency', 'output_tokens', '-output_tokens'] as const

export type Sample = z.infer<typeof Sample>
export type SampleDetail = z.infer<typeof SampleDetail>
export type Attempt = z.infer<typeof Attempt>
export type SampleScore = z.infer<typeof SampleScore>
