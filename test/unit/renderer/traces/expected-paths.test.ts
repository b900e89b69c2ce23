import { expect, test } from 'vitest'
import type { Span } from '../../../../src/contract/traces/traces.schemas.ts'
import { pathProblem, selectValue } from '../../../../src/engine/importing/traces/json-path.ts'
import { valuePaths } from '../../../../src/renderer/traces/expected-paths.ts'

const span = (name: string, output: string, attributes: Span['attributes'] = {}): Span => ({
  span_id: name,
  parent_span_id: null,
  name,
  kind: 'llm',
  started_at: '2026-11-28T10:00:00Z',
  ended_at: null,
  duration_ms: null,
  status: 'ok',
  output_messages: [{ role: 'assistant', content: output }],
  attributes,
  revision: 1,
})

test('every offered path is one that the service takes, and selects the value that was shown', () => {
  const trace = {
    spans: [span('answer "final"', 'Paris', { 'gold.answer': 'Paris, France', steps: 3 }), span('search', 'a'), span('search', 'b')],
    annotations: [{ span_id: null, name: 'reviewed', value: 'right', comment: 'by Ann', origin: 'provider' as const, created_at: null }],
  }
  const paths = valuePaths(trace)
  expect(paths.map(({ title }) => title)).toEqual([
    'Score reviewed',
    'Comment on reviewed',
    'Output of answer "final"',
    'gold.answer of answer "final"',
    'steps of answer "final"',
    'Output of search (span 2)',
    'Output of search (span 3)',
  ])
  for (const { path, example } of paths) {
    expect(pathProblem(path)).toBeNull()
    expect(String(selectValue(trace, path))).toBe(example)
  }
})
