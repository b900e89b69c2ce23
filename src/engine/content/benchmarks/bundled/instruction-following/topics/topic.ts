/**
 * A writing request and what a good answer could say. The sentences hold no comma, no abbreviation and no proper name at their start,
 * so that any of them can be rearranged, counted and put in capitals without surprises.
 */
export interface Topic {
  readonly request: string
  readonly title: string
  readonly sentences: readonly string[]
  /** Words of the sentences. */
  readonly keywords: readonly string[]
  /** Words that fit the topic but stand in no sentence. */
  readonly absent: readonly string[]
}
