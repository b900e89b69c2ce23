import { endingNotices, endingOf, sampleNotice } from '../../contract/index.ts'
import type { Answer, CallNote } from './model-client.ts'

/** Tokens of one call, prompt or answer: several times the longest context there is. A provider that counts more miscounts. */
const mostTokens = 20_000_000
/** Characters of a finish reason that are kept. */
export const longestFinishReason = 100

/** Bounds what a provider says of its answer before anything is stored or added up, and names what a reader must know of it. */
export function examineAnswer(answer: Answer): Answer {
  const hasText = answer.output.trim() !== '' || (answer.toolCalls ?? []).length > 0
  const finishReason = answer.finishReason?.slice(0, longestFinishReason) ?? null
  const notices = endingNotices(answer.refused ? 'refusal' : finishReason, hasText, answer.reasoning !== undefined)
  const isCounted = answer.usage === null || Math.max(answer.usage.inputTokens, answer.usage.outputTokens) <= mostTokens
  const found = [...notices.map(code => noteOf(code, finishReason)), ...(isCounted ? [] : [usageIgnored(answer)])]
  return {
    ...answer,
    finishReason,
    refused: answer.refused || endingOf(finishReason) === 'refused',
    usage: isCounted ? answer.usage : null,
    ...(found.length > 0 ? { notes: [...(answer.notes ?? []), ...found] } : {}),
  }
}

function noteOf(code: ReturnType<typeof endingNotices>[number], finishReason: string | null): CallNote {
  const note = sampleNotice(code)
  return code === 'unknown_ending' ? { ...note, message: `${note.message} The provider’s word: “${finishReason}”.` } : note
}

function usageIgnored({ usage }: Answer): CallNote {
  const counts = `${usage?.inputTokens} input and ${usage?.outputTokens} output tokens`
  return {
    code: 'usage_ignored',
    message: `The provider counted ${counts}. No call has more than ${mostTokens}, so its count was not used.`,
  }
}
