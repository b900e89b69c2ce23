/** What providers say when an answer ended at a token limit: OpenAI and its like, Anthropic, OpenAI responses. */
const cutOffReasons: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded'])
/** What they say when a filter kept the answer back. */
const filteredReasons: ReadonlySet<string> = new Set(['content_filter', 'content_filtered', 'refusal', 'safety', 'guardrail_intervened'])

/** What a reader must know of how an answer ended; null where it ended by itself. */
export type AnswerMark = 'filtered' | 'cut_off' | 'empty'

/** @param isEmpty whether it holds no text, and asks for no tool */
export function markOf(finishReason: string | null, isEmpty: boolean): AnswerMark | null {
  const reason = finishReason?.toLowerCase() ?? ''
  if (filteredReasons.has(reason)) return 'filtered'
  if (cutOffReasons.has(reason)) return 'cut_off'
  return isEmpty ? 'empty' : null
}
