import { z } from 'zod'
import { MaxImagePixels } from '../catalog/benchmarks.schemas.ts'
import { Effort } from '../catalog/models.schemas.ts'
import { ConnectionProtocol } from '../connections/connections.schemas.ts'
import { EndpointParameters, RequestSettings, ResponseFormat } from '../connections/request-settings.schemas.ts'
import { MessageContent } from '../messages/messages.schemas.ts'
import { Uuid } from '../primitives.ts'
import { callNoteCodes } from '../runs/call-notes.ts'
import { type FailureCode, failureCodes } from '../runs/failure-codes.ts'

const tool = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      type: z.enum(['string', 'integer']),
      description: z.string(),
      values: z.exactOptional(z.array(z.string())),
    }),
  ),
  schema: z.exactOptional(z.record(z.string(), z.unknown())).describe('JSON Schema of the arguments, where `parameters` cannot tell them.'),
})
const toolCalls = z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() }))

/** What came with tool calls and is asked back with them, in the provider’s own form. */
const carried = z.exactOptional(z.record(z.string(), z.unknown()))

const turn = z.union([
  z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: MessageContent, name: z.exactOptional(z.string()) }),
  z.strictObject({ role: z.literal('assistant'), content: MessageContent, toolCalls, carried }),
  z.strictObject({
    role: z.literal('tool'),
    content: MessageContent,
    toolCallId: z.string(),
    name: z.exactOptional(z.string()),
    isError: z.exactOptional(z.boolean()),
  }),
])

/** Where a model is, without its key. */
export const WorkerEndpoint = z.strictObject({
  connection_id: Uuid,
  protocol: ConnectionProtocol,
  base_url: z.string(),
  model: z.string(),
  streaming: z.boolean(),
  timeout_ms: z.int().positive(),
  request_settings: RequestSettings,
  parameters: z.exactOptional(EndpointParameters),
  ca_certificates: z.string().nullable(),
})
export type WorkerEndpoint = z.infer<typeof WorkerEndpoint>

export const WorkerRequest = z.strictObject({
  messages: z.array(turn),
  given: z.exactOptional(z.int()),
  tools: z.exactOptional(z.array(tool)),
  temperature: z.number().nullable(),
  maxOutputTokens: z.int(),
  stop: z.array(z.string()),
  reasoning: z.exactOptional(z.literal('as_text')),
  effort: z.exactOptional(Effort),
  responseFormat: z.exactOptional(ResponseFormat),
  maxImagePixels: z.exactOptional(MaxImagePixels),
})

/**
 * Most of everything that a call may report: a worker may send anything. Workers cut what a provider made longer before they report it, so
 * that a paid call is never refused.
 */
export const callReportLimits = {
  /** Characters of an answer or of a tool call’s arguments; as many as a response may have bytes. */
  text: 16_000_000,
  /** Characters of a name, an id or a reason to finish. */
  name: 500,
  message: 4_000,
  toolCalls: 1_000,
  notes: 100,
  /** Calls before the last: one for each choice that is measured, or for each look at an agent’s task. */
  earlier: 5_000,
} as const

/** In base64, of a request or a response. */
const bytes = z.base64().max(24_000_000).nullable()
/** More tokens than any model has would overflow sums of money. What a call can cost at most bounds them further. */
const tokens = z.int().min(0).max(1_000_000_000)
const reportedToolCall = z.strictObject({
  id: z.string().max(callReportLimits.name),
  name: z.string().max(callReportLimits.name),
  arguments: z.string().max(callReportLimits.text),
})
/** As JSON no longer than the response that it came in. */
export const reportedCarried = z.exactOptional(
  z
    .record(z.string().max(callReportLimits.name), z.unknown())
    .refine(value => JSON.stringify(value).length <= callReportLimits.text, `must be at most ${callReportLimits.text} characters as JSON`),
)
/** The longest that a timer can wait; a longer pause would be none. */
const pauseMs = z
  .number()
  .min(0)
  .max(2 ** 31 - 1)
const usage = z
  .strictObject({
    inputTokens: tokens,
    outputTokens: tokens,
    parts: z.exactOptional(
      z.strictObject({
        cachedInput: z.exactOptional(tokens),
        cacheWrite: z.exactOptional(tokens),
        imageInput: z.exactOptional(tokens),
        audioInput: z.exactOptional(tokens),
        reasoning: z.exactOptional(tokens),
        audioOutput: z.exactOptional(tokens),
      }),
    ),
  })
  .nullable()
const rate = z
  .strictObject({
    limit: z.number().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
    remaining: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
    resetMs: pauseMs,
    refill: z.enum(['steady', 'at_once']),
  })
  .nullable()
const wire = {
  earlier: z.exactOptional(z.array(z.strictObject({ request: bytes, response: bytes })).max(callReportLimits.earlier)),
  notes: z.exactOptional(
    z.array(z.strictObject({ code: z.enum(callNoteCodes), message: z.string().max(callReportLimits.message) })).max(callReportLimits.notes),
  ),
  request: bytes,
  response: bytes,
  httpStatus: z.int().min(100).max(999).nullable(),
  announced: z.exactOptional(z.strictObject({ requests: rate, tokens: rate }).nullable()),
  statedPicoUsd: z.exactOptional(z.int().min(0)),
  latencyMs: pauseMs,
}
// The keys of a record are its only names.
const failureCode = z.enum(Object.keys(failureCodes) as [FailureCode, ...FailureCode[]])

/** What became of a call, with what went over the wire in base64. */
export const WorkerCallOutcome = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    output: z.string().max(callReportLimits.text),
    reasoning: z.exactOptional(z.string().max(callReportLimits.text)),
    servedModel: z.exactOptional(z.string().max(callReportLimits.name)),
    finishReason: z.string().max(callReportLimits.name).nullable(),
    refused: z.boolean(),
    toolCalls: z.exactOptional(z.array(reportedToolCall).max(callReportLimits.toolCalls)),
    carried: reportedCarried,
    usage,
    unreadUsage: z.exactOptional(z.literal(true)),
    ...wire,
  }),
  z.strictObject({
    ok: z.literal(false),
    code: failureCode,
    message: z.string().max(callReportLimits.message),
    retryAfterMs: pauseMs.nullable(),
    usage: z.exactOptional(usage),
    ...wire,
  }),
])
export type WorkerCallOutcome = z.infer<typeof WorkerCallOutcome>

/** Whether anything answers at an endpoint; null: something does. */
export const WorkerProbeFault = z.strictObject({ code: failureCode, message: z.string().max(callReportLimits.message) }).nullable()
