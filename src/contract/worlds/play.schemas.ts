import { z } from 'zod'
import { JsonObject, Name, named, Uuid } from '../primitives.ts'
import { SampleEpisode } from '../runs/samples.schemas.ts'
import { WorldDefinition, worldLimits } from './worlds.schemas.ts'

export const CheckWorld = named('CheckWorld', { definition: WorldDefinition })

const Verdict = z.strictObject({
  value: z.number().nullable().describe('From 0 to 1; null without a verdict.'),
  explanation: z.string().describe('Which expectation failed, at which turn.'),
})

const checkedTask = {
  task_id: z.string(),
  status: z
    .enum(['passed', 'failed', 'world_error', 'no_reference'])
    .describe('Of the task’s reference: whether it meets the expectation.'),
  explanation: z.string(),
}

export const CheckedWorld = named('CheckedWorld', {
  tasks: z.array(z.strictObject(checkedTask)),
  passed: z.int().describe('Tasks whose reference meets the expectation.'),
})
export type CheckedWorld = z.infer<typeof CheckedWorld>

const Move = z.union([
  z.strictObject({
    calls: z
      .array(z.strictObject({ name: z.string().min(1).max(64), arguments: JsonObject.default({}) }))
      .min(1)
      .max(32)
      .describe('Tools used in one turn.'),
  }),
  z.strictObject({ answer: z.string().max(worldLimits.message) }),
])

export const TryWorld = named('TryWorld', {
  definition: WorldDefinition,
  task_id: z.string().min(1).max(200),
  epoch: z.int().min(1).max(1_000).default(1).describe('Seeds the clock and randomness of functions together with the task.'),
  moves: z.array(Move).max(worldLimits.turns).default([]).describe('Turns so far, oldest first.'),
})
export type TryWorld = z.infer<typeof TryWorld>

export const TriedWorld = named('TriedWorld', {
  ended: z.boolean().describe('Whether the episode is over; further moves would be ignored.'),
  episode: SampleEpisode.nullable().describe('Null before the first move.'),
  opening: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .describe('What a model would be shown first.'),
  verdict: Verdict.nullable().describe('Null while the episode runs.'),
})
export type TriedWorld = z.infer<typeof TriedWorld>

/** What one request makes a world of while it waits; more are drafted in the background. */
export const mostDraftedTraces = 20

export const mostDraftedConversations = 200

/** A line of a file for fine-tuning with tool calls, as OpenAI takes it. Fields that are not named here are ignored. */
export const RecordedConversation = z.looseObject({
  id: z.exactOptional(z.string().min(1).max(200)).describe('Of its task; its place where it has none.'),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: z
          .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.exactOptional(z.string()) }))])
          .nullish()
          .describe('Text, or parts of which the texts are read.'),
        tool_calls: z.exactOptional(
          z.array(z.looseObject({ id: z.exactOptional(z.string()), function: z.looseObject({ name: z.string(), arguments: z.string() }) })),
        ),
        tool_call_id: z.exactOptional(z.string()),
      }),
    )
    .min(1)
    .max(2_000),
  tools: z.exactOptional(z.array(JsonObject).max(worldLimits.tools)),
})
export type RecordedConversation = z.infer<typeof RecordedConversation>

export const DraftWorld = z
  .strictObject({
    trace_ids: z
      .exactOptional(z.array(Uuid).min(1).max(mostDraftedTraces))
      .describe('Each becomes a task; its tool calls become canned results.'),
    conversations: z
      .exactOptional(z.array(RecordedConversation).min(1).max(mostDraftedConversations))
      .describe('In place of traces: recorded conversations with tool calls, such as the lines of a file for fine-tuning.'),
    title: Name.optional(),
  })
  .refine(({ trace_ids, conversations }) => (trace_ids === undefined) !== (conversations === undefined), {
    path: ['trace_ids'],
    error: 'must be given exactly when conversations are not',
  })
  .meta({ id: 'DraftWorld' })
export type DraftWorld = z.infer<typeof DraftWorld>

/** Something of the source that a world cannot hold. */
export const LeftOut = z.strictObject({
  id: z.string().nullable().describe('Of the trace; null for a tool or a part of a file.'),
  name: z.string(),
  reason: z.string(),
})
export type LeftOut = z.infer<typeof LeftOut>

export const DraftedWorld = named('DraftedWorld', {
  slug: z.string().describe('A slug made from the title.'),
  definition: WorldDefinition,
  tasks: z.array(
    z.strictObject({
      ...checkedTask,
      notes: z.array(z.string()).describe('What of the recording can’t be reproduced: order, time, missing results.'),
    }),
  ),
  replaced: z
    .strictObject({ secrets: z.int().min(0), personal: z.int().min(0).describe('Different email addresses, phone and card numbers.') })
    .nullable()
    .describe('What was replaced before anything was shown; null for files that are not recordings, which are kept as they are.'),
  left_out: z.array(LeftOut).describe('Traces and tools that the world does not hold, with the reason.'),
})
export type DraftedWorld = z.infer<typeof DraftedWorld>
