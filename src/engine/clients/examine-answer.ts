import { endingNotices, sampleNotice } from '../../contract/runs/call-notes.ts'
import { endingOf } from '../../contract/runs/endings.ts'
import type { Answer, CallNote } from './model-client.ts'
import { examineUsage } from './usage/examine-usage.ts'

/** Characters of a finish reason that are kept. */
export const longestFinishReason = 100

/** Bounds what a provider says of its answer before anything is stored or added up, and names what a reader must know of it. @param gradesReasoning reasoning counts as text */
export function examineAnswer(given: Answer, gradesReasoning = false): Answer {
  const answer = examineUsage(given)
  const isGraded = answer.output.trim() !== '' || (gradesReasoning && answer.reasoning !== undefined)
  const holdsFiles = (answer.notes ?? []).some(({ code }) => code === 'answer_holds_files')
  const hasText = isGraded || holdsFiles || (answer.toolCalls ?? []).length > 0
  const finishReason = answer.finishReason?.slice(0, longestFinishReason) ?? null
  const notices = endingNotices(answer.refused ? 'refusal' : finishReason, hasText, answer.reasoning !== undefined)
  const found = notices.map(code => noteOf(code, finishReason))
  return {
    ...answer,
    finishReason,
    refused: answer.refused || endingOf(finishReason) === 'refused',
    ...(found.length > 0 ? { notes: [...(answer.notes ?? []), ...found] } : {}),
  }
}

function noteOf(code: ReturnType<typeof endingNotices>[number], finishReason: string | null): CallNote {
  const note = sampleNotice(code)
  return code === 'unknown_ending' ? { ...note, message: `${note.message} The provider’s word: “${finishReason}”.` } : note
}
