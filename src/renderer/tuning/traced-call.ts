import type { Span } from '../../contract/traces/traces.schemas.ts'

export interface TracedCall {
  /** What the answer was to; null where the trace has no messages. */
  readonly input: string | null
  readonly systemPrompt: string | null
}

/** The span of a trace whose call is improved: the first model call, or else the root. */
export function callSpan(spans: readonly Span[]): Span | undefined {
  return spans.find(({ kind }) => kind === 'llm') ?? spans.find(({ parent_span_id: parent }) => parent === null) ?? spans[0]
}

export function tracedCall(span: Pick<Span, 'input_messages'> | undefined): TracedCall {
  const messages = span?.input_messages ?? []
  return {
    input: messages.findLast(({ role, content }) => role !== 'system' && content.trim() !== '')?.content ?? null,
    systemPrompt: messages.find(({ role }) => role === 'system')?.content ?? null,
  }
}
