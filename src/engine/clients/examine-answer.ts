import { type AnswerMark, markOf } from '../../contract/index.ts'
import type { Answer, CallNote } from './model-client.ts'

/** Tokens of one call, prompt or answer: several times the longest context there is. A provider that counts more miscounts. */
const mostTokens = 20_000_000
const longestFinishReason = 100

const words: Readonly<Record<AnswerMark, CallNote>> = {
  filtered: {
    code: 'answer_filtered',
    message: 'The provider’s content filter stopped the answer, so it counts as refused, not as wrong.',
  },
  cut_off: {
    code: 'answer_cut_off',
    message: 'The answer reached its token limit and was cut off. It was graded as it is; allow more output tokens.',
  },
  empty: { code: 'answer_empty', message: 'The provider reported success and sent no text. The empty answer was graded.' },
}

/** Bounds what a provider says of its answer before anything is stored or added up, and names what a reader must know of it. */
export function examineAnswer(answer: Answer): Answer {
  const mark = markOf(answer.finishReason, answer.output.trim() === '' && (answer.toolCalls ?? []).length === 0)
  const isCounted = answer.usage === null || Math.max(answer.usage.inputTokens, answer.usage.outputTokens) <= mostTokens
  if (mark === null && isCounted && (answer.finishReason ?? '').length <= longestFinishReason) return answer
  const notes = [...(answer.notes ?? []), ...(mark ? [words[mark]] : []), ...(isCounted ? [] : [usageIgnored(answer)])]
  return {
    ...answer,
    refused: answer.refused || mark === 'filtered',
    finishReason: answer.finishReason?.slice(0, longestFinishReason) ?? null,
    usage: isCounted ? answer.usage : null,
    notes,
  }
}

function usageIgnored({ usage }: Answer): CallNote {
  const counts = `${usage?.inputTokens} input and ${usage?.outputTokens} output tokens`
  return {
    code: 'usage_ignored',
    message: `The provider counted ${counts}. No call has more than ${mostTokens}, so its count was not used.`,
  }
}
