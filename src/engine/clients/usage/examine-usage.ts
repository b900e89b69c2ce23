import type { Answer, CallNote } from '../model-client.ts'

/** Tokens of one call, prompt or answer: several times the longest context there is. A provider that counts more miscounts. */
const mostTokens = 20_000_000

/** Takes a count that cannot be true out of an answer, before anything is stored or added up, and notes why the answer has none. */
export function examineUsage(answer: Answer): Answer {
  const problem = problemOf(answer)
  if (problem === null) return answer
  const { unreadUsage: _, ...rest } = answer
  const message = `${problem} Assay counted the output itself; what the call cost is only known where the provider states it.`
  const note: CallNote = { code: 'usage_unreadable', message }
  return { ...rest, usage: null, notes: [...(answer.notes ?? []), note] }
}

function problemOf({ usage, unreadUsage, output, request }: Answer): string | null {
  if (unreadUsage) return 'The provider’s token count could not be read; the response shows it.'
  if (!usage) return null
  const { inputTokens, outputTokens } = usage
  const counts = `The provider counted ${inputTokens} input and ${outputTokens} output tokens.`
  if (Math.max(inputTokens, outputTokens) > mostTokens) return `${counts} No call has more than ${mostTokens}, so its count was not used.`
  // An answer and the prompt that led to it have tokens; servers that count nothing often say 0.
  if (request !== null && output !== '' && Math.min(inputTokens, outputTokens) === 0)
    return `${counts} An answer cannot have 0, so its count was not used.`
  return null
}
