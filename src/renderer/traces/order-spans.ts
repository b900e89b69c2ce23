import type { Span } from '../../contract/traces/traces.schemas.ts'

/** A span in the order of the tree, with its place in time as fractions of the whole. */
export interface SpanRow {
  readonly span: Span
  readonly depth: number
  readonly begin: number
  readonly length: number
}

/** Deeper levels are drawn at this indent: nesting may be without end. */
const mostDepth = 12

/** The tree, depth first, siblings by start. Spans whose parent is missing, or that are their own ancestors, are roots. */
export function orderSpans(spans: readonly Span[]): SpanRow[] {
  const ids = new Set(spans.map(span => span.span_id))
  const children = Map.groupBy(spans, ({ parent_span_id }) => (parent_span_id !== null && ids.has(parent_span_id) ? parent_span_id : ''))
  const starts = spans.map(span => Date.parse(span.started_at))
  const first = Math.min(...starts)
  const last = Math.max(...spans.map((span, i) => (starts[i] ?? first) + (span.duration_ms ?? 0)))
  const whole = Math.max(1, last - first)
  const rows: SpanRow[] = []
  const seen = new Set<string>()
  const visit = (roots: readonly Span[]) => {
    const stack = roots.toReversed().map(span => ({ span, depth: 0 }))
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { span, depth } = next
      if (seen.has(span.span_id)) continue
      seen.add(span.span_id)
      rows.push({
        span,
        depth: Math.min(depth, mostDepth),
        begin: (Date.parse(span.started_at) - first) / whole,
        length: (span.duration_ms ?? 0) / whole,
      })
      for (const child of (children.get(span.span_id) ?? []).toReversed()) stack.push({ span: child, depth: depth + 1 })
    }
  }
  visit(children.get('') ?? [])
  visit(spans.filter(span => !seen.has(span.span_id)))
  return rows
}
