import type { Span, Trace, TraceDetail, TraceMessage, TraceSource } from '../contract/traces/traces.schemas.ts'
import { type ExampleFields, exampleFields, type FieldPaths } from '../engine/importing/traces/example-fields.ts'
import type { Json } from '../engine/importing/traces/mapped-span.ts'
import { mapSpan } from '../engine/importing/traces/provider-spans.ts'
import { rawOf } from '../engine/importing/traces/span-row.ts'
import type { createTraceReads, StoredSpan, TraceRow } from '../storage/reads/traces.ts'

/** Characters of content in one reply; the reply is written on the service's loop. */
const contentBudget = 2 * 1024 * 1024

type Reads = ReturnType<typeof createTraceReads>

export function toTrace({ no: _, lead_span_id: __, ...row }: TraceRow): Trace {
  const durationMs = row.ended_at === null ? null : Math.max(0, Date.parse(row.ended_at) - Date.parse(row.started_at))
  return { ...row, duration_ms: durationMs }
}

/** Null where the workspace has no such trace. */
export function describeTrace(reads: Reads, workspaceId: string, traceId: string, spanId: string | null): TraceDetail | null {
  const row = reads.trace(workspaceId, traceId)
  if (!row) return null
  let budget = contentBudget
  const spans: Span[] = []
  for (const stored of reads.spans(row.no, spanId)) {
    const span = describeSpan(row.source, stored)
    budget -= JSON.stringify([span.input_messages, span.output_messages, span.attributes]).length
    const { input_messages: _, output_messages: __, ...bare } = span
    // The first span is always whole, so that a large one can be read by itself.
    spans.push(budget > 0 || spans.length === 0 ? span : { ...bare, attributes: {}, content_omitted: true })
  }
  const annotations = reads
    .annotations(row.no)
    .map(({ value, ...annotation }) => ({ ...annotation, value: valueOf(value), origin: 'provider' as const }))
  return { ...toTrace(row), spans, annotations }
}

function describeSpan(source: TraceSource, stored: StoredSpan): Span {
  const { usage, input, output, attributes, statusMessage } = mapSpan(source, rawOf(stored.raw))
  return {
    span_id: stored.span_id,
    parent_span_id: stored.parent_span_id,
    name: stored.name,
    kind: stored.kind,
    started_at: stored.started_at,
    ended_at: stored.ended_at,
    duration_ms: stored.duration_ms,
    status: stored.status,
    ...(statusMessage === null ? {} : { status_message: statusMessage.slice(0, 10_000) }),
    ...(stored.model === null ? {} : { model: stored.model }),
    ...(usage === null ? {} : { usage }),
    ...(input.length === 0 ? {} : { input_messages: [...input] }),
    ...(output.length === 0 ? {} : { output_messages: [...output] }),
    attributes: { ...attributes },
    revision: stored.revision,
  }
}

function valueOf(json: string): number | string | boolean | null {
  const value: unknown = JSON.parse(json)
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null
}

/** The example that a trace makes: what its first span was given and what it answered, unless paths say otherwise. */
export function traceExample(
  reads: Reads,
  workspaceId: string,
  traceId: string,
  paths: FieldPaths,
): { readonly fields: ExampleFields; readonly origin: Json } | null {
  const detail = describeTrace(reads, workspaceId, traceId, null)
  const row = reads.trace(workspaceId, traceId)
  if (!detail || !row) return null
  const lead = detail.spans.find(span => span.span_id === row.lead_span_id) ?? detail.spans[0]
  const withContent = lead?.input_messages ? lead : detail.spans.find(span => span.input_messages)
  const input = withContent?.input_messages ?? []
  const only = input.length === 1 ? input[0] : undefined
  const usual = {
    // One message of a user, or an input that is not a message, is the text itself.
    input:
      only && ['user', 'input'].includes(only.role) && !only.media
        ? only.content
        : input.map(message => ({ role: message.role, content: withFiles(message) })),
    output: (lead?.output_messages ?? detail.spans.findLast(span => span.output_messages)?.output_messages)?.at(-1)?.content,
    expected: undefined,
  }
  const { source, integration_id, provider_trace_id } = detail
  return {
    fields: exampleFields(detail, paths, input.length === 0 ? { ...usual, input: undefined } : usual),
    origin: { trace_id: traceId, source, integration_id, provider_trace_id, span_id: withContent?.span_id ?? null },
  }
}

/** The content of a message with its files before its text. */
function withFiles({ content, media }: TraceMessage): string | readonly Json[] {
  return media ? [...media, ...(content === '' ? [] : [{ type: 'text', text: content }])] : content
}
