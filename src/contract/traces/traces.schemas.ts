import { z } from 'zod'
import { AudioPart, DocumentPart, ImagePart } from '../messages/messages.schemas.ts'
import { JsonObject, named, Timestamp, Uuid } from '../primitives.ts'

/** Where traces come from: a provider, or programs that send OTLP to this service. */
export const TraceSource = z.enum(['otlp', 'langfuse', 'langsmith', 'braintrust'])
export type TraceSource = z.infer<typeof TraceSource>

export const Trace = named('Trace', {
  id: Uuid,
  source: TraceSource,
  integration_id: Uuid.nullable().describe('Null for OTLP.'),
  provider_trace_id: z.string(),
  name: z.string(),
  model: z.string().nullable().describe('Of the first model call.'),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  duration_ms: z.number().min(0).nullable(),
  span_count: z.int().min(0),
  error_count: z.int().min(0),
  input_tokens: z.int().min(0).nullable(),
  output_tokens: z.int().min(0).nullable(),
  input_preview: z.string().nullable(),
  output_preview: z.string().nullable(),
})

export const SpanKind = z.enum(['llm', 'agent', 'chain', 'tool', 'retriever', 'embedding', 'guardrail', 'evaluator', 'event', 'other'])
export type SpanKind = z.infer<typeof SpanKind>

export const SpanStatus = z.enum(['ok', 'error', 'unset'])
export type SpanStatus = z.infer<typeof SpanStatus>

export const TraceMessage = z.strictObject({
  role: z.string().describe('`system`, `user`, `assistant`, `tool` or what the sender wrote; `input` and `output` if it is not a message.'),
  content: z.string(),
  media: z
    .array(z.union([ImagePart, AudioPart, DocumentPart]))
    .optional()
    .describe('Stored images, recordings and documents of the message; what is at an address stays a text.'),
  reasoning: z.string().optional().describe('What the model thought before the content; absent where the trace holds none.'),
  tool_calls: z.array(z.strictObject({ id: z.string().nullable(), name: z.string(), arguments: z.string() })).optional(),
})
export type TraceMessage = z.infer<typeof TraceMessage>

export const TokenUsage = z.strictObject({
  input_tokens: z.int().min(0).nullable(),
  output_tokens: z.int().min(0).nullable(),
  cache_read_tokens: z.int().min(0).nullable(),
  cache_write_tokens: z.int().min(0).nullable(),
})
export type TokenUsage = z.infer<typeof TokenUsage>

export const Span = named('Span', {
  span_id: z.string(),
  parent_span_id: z.string().nullable(),
  name: z.string(),
  kind: SpanKind,
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  duration_ms: z.number().min(0).nullable(),
  status: SpanStatus,
  status_message: z.string().optional(),
  model: z.string().optional(),
  usage: TokenUsage.optional(),
  input_messages: z.array(TraceMessage).optional(),
  output_messages: z.array(TraceMessage).optional(),
  attributes: JsonObject.describe('As sent. Values above 1 MiB are truncated on arrival and marked.'),
  revision: z.int().min(1).describe('How many different contents arrived for this span.'),
  content_omitted: z.literal(true).optional().describe('The trace is too large for one reply: read this span with `span_id`.'),
})

export const TraceAnnotation = z.strictObject({
  span_id: z.string().nullable(),
  name: z.string(),
  value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
  comment: z.string().nullable(),
  origin: z.literal('provider').describe('Scores and feedback of the provider; not used as scores or labels.'),
  created_at: Timestamp.nullable(),
})

export const TraceDetail = named('TraceDetail', {
  ...Trace.shape,
  spans: z.array(Span).describe('By start time.'),
  annotations: z.array(TraceAnnotation),
})

/** The JSON form of OTLP's ExportTraceServiceResponse. */
export const OtlpReply = named('OtlpTraceReply', {
  partialSuccess: z
    .strictObject({ rejectedSpans: z.string().describe('A 64-bit integer, as OTLP writes them.'), errorMessage: z.string() })
    .optional(),
})

export type Trace = z.infer<typeof Trace>
export type Span = z.infer<typeof Span>
export type TraceAnnotation = z.infer<typeof TraceAnnotation>
export type TraceDetail = z.infer<typeof TraceDetail>
export type OtlpReply = z.infer<typeof OtlpReply>
