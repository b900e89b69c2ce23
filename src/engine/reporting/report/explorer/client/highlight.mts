interface Span {
  readonly start: number
  readonly end: number
}

/** A stretch of a text and which of the given spans cover it, by place. */
export interface Piece {
  readonly text: string
  readonly covered: readonly number[]
}

/** Cuts a text at the ends of spans, which may overlap, lie beyond the text or be empty. */
export function cutAtSpans(text: string, spans: readonly (Span | null)[]): Piece[] {
  const inside = (offset: number) => Math.min(Math.max(offset, 0), text.length)
  const cuts = new Set([0, text.length])
  for (const span of spans) {
    if (span === null || span.end <= span.start) continue
    cuts.add(inside(span.start))
    cuts.add(inside(span.end))
  }
  const ordered = [...cuts].sort((a, b) => a - b)
  return ordered.slice(1).map((end, index) => {
    const start = ordered[index] ?? 0
    const covered = spans.flatMap((span, place) =>
      span !== null && span.start <= start && span.end >= end && span.end > span.start ? [place] : [],
    )
    return { text: text.slice(start, end), covered }
  })
}
