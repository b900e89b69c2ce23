import { describe, expect, test } from 'vitest'
import type { Span } from '../../../../src/contract/traces/traces.schemas.ts'
import { callSpan, tracedCall } from '../../../../src/renderer/tuning/traced-call.ts'

const span = (span_id: string, changes: Partial<Span> = {}): Span => ({
  span_id,
  parent_span_id: null,
  name: span_id,
  kind: 'chain',
  started_at: '2026-11-24T00:00:00.000Z',
  ended_at: null,
  duration_ms: null,
  status: 'ok',
  attributes: {},
  revision: 1,
  ...changes,
})

describe('the call in a trace', () => {
  test('is the first model call, or else the root', () => {
    const spans = [span('child', { parent_span_id: 'root' }), span('root'), span('model', { kind: 'llm', parent_span_id: 'root' })]
    expect(callSpan(spans)?.span_id).toBe('model')
    expect(callSpan(spans.slice(0, 2))?.span_id).toBe('root')
    expect(callSpan([])).toBeUndefined()
  })

  test('keeps the whole input and the system prompt', () => {
    const long = 'Ticket: '.padEnd(5000, 'x')
    const input_messages = [
      { role: 'system', content: 'Answer with one word.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: long },
    ]
    expect(tracedCall({ input_messages })).toEqual({ input: long, systemPrompt: 'Answer with one word.' })
    expect(tracedCall(span('empty'))).toEqual({ input: null, systemPrompt: null })
  })
})
