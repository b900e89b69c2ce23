import { endingNotices, sampleNotice } from '../../contract/runs/call-notes.ts'
import { endingOf } from '../../contract/runs/endings.ts'
import type { Answer, CallNote } from './model-client.ts'
import { examineUsage } from './usage/examine-usage.ts'

/** Characters of a finish reason that are kept. */
export const longestFinishReason = 100

/** How an answer was asked for. */
interface Asked {
  /** Reasoning counts as text. */
  readonly gradesReasoning: boolean
  readonly offersTools: boolean
}

/** Bounds what a provider says of its answer before anything is stored or added up, and names what a reader must know of it. */
export function examineAnswer(given: Answer, { gradesReasoning, offersTools }: Asked): Answer {
  const answer = examineUsage(given)
  const hasCalls = (answer.toolCalls ?? []).length > 0
  const isGraded = answer.output.trim() !== '' || (gradesReasoning && answer.reasoning !== undefined)
  const holdsFiles = (answer.notes ?? []).some(({ code }) => code === 'answer_holds_files')
  const hasText = isGraded || holdsFiles || (offersTools && hasCalls)
  const finishReason = answer.finishReason?.slice(0, longestFinishReason) ?? null
  const ending = endingOf(finishReason)
  const notices = endingNotices(answer.refused ? 'refusal' : finishReason, hasText, answer.reasoning !== undefined)
  const found = [
    ...notices.map(code => noteOf(code, finishReason)),
    ...(hasCalls && !offersTools ? [uninvitedCall] : []),
    ...(ending === 'tool_calls' && !hasCalls ? [missingCall] : []),
  ]
  return {
    ...answer,
    finishReason,
    refused: answer.refused || ending === 'refused',
    ...(found.length > 0 ? { notes: [...(answer.notes ?? []), ...found] } : {}),
  }
}

const uninvitedCall: CallNote = {
  code: 'unknown_ending',
  message: 'The model called a tool although none was offered, so nothing was called. Its text was graded as it is.',
}
const missingCall: CallNote = {
  code: 'unknown_ending',
  message: 'The provider says that the answer ended with a tool call and sent none, so it may be incomplete. Its text was graded as it is.',
}

function noteOf(code: ReturnType<typeof endingNotices>[number], finishReason: string | null): CallNote {
  const note = sampleNotice(code)
  return code === 'unknown_ending' ? { ...note, message: `${note.message} The provider’s word: “${finishReason}”.` } : note
}
