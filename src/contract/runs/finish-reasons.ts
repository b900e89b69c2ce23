/** Finish reasons for a token limit: OpenAI-compatible APIs, Anthropic, OpenAI responses. */
const cutOffReasons: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded'])
/** Finish reasons for a content filter. */
const filteredReasons: ReadonlySet<string> = new Set(['content_filter', 'content_filtered', 'refusal', 'safety', 'guardrail_intervened'])

/** Caution about how an answer ended; null if it ended normally. */
export type AnswerMark = 'filtered' | 'cut_off' | 'empty'

/** @param isEmpty whether it has neither text nor a tool call */
export function markOf(finishReason: string | null, isEmpty: boolean): AnswerMark | null {
  const reason = finishReason?.toLowerCase() ?? ''
  if (filteredReasons.has(reason)) return 'filtered'
  if (cutOffReasons.has(reason)) return 'cut_off'
  return isEmpty ? 'empty' : null
}
