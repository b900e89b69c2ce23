import { z } from 'zod'
import type { Message, MessageContent } from '../../../contract/messages/messages.schemas.ts'
import type { EarlierAnswer } from '../../clients/model-client.ts'

const Stored = z.array(z.object({ output: z.string(), reasoning: z.string().nullable() }))

/** The model's answers before the last one, as transcripts keep them in JSON; none where there is no such text. */
export function readEarlierAnswers(stored: string | null | undefined): readonly EarlierAnswer[] {
  return stored ? Stored.parse(JSON.parse(stored)) : []
}

/** A prompt with the scripted turns that were asked, each after the answer before it. */
export function withTurns(
  prompt: readonly Message[],
  turns: readonly MessageContent[] | undefined,
  answers: readonly EarlierAnswer[] | undefined,
): Message[] {
  const asked = (turns ?? []).slice(0, answers?.length ?? 0)
  return [...prompt, ...asked.flatMap((content, i): Message[] => [answered(answers?.[i]), { role: 'user', content }])]
}

function answered(answer: EarlierAnswer | undefined): Message {
  const { output, reasoning } = answer ?? { output: '', reasoning: null }
  if (reasoning === null) return { role: 'assistant', content: output }
  return {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: reasoning },
      { type: 'text', text: output },
    ],
  }
}
