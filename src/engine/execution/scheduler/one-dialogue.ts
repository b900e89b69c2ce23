import type { MessageContent } from '../../../contract/messages/messages.schemas.ts'
import type { CallOutcome, EarlierAnswer, Turn } from '../../clients/model-client.ts'
import { CallLog } from '../samples/call-log.ts'
import { asOneCall, callInTurn } from './call-in-turn.ts'
import type { Call, Question } from './one-call.ts'
import type { SampleContext } from './sample-context.ts'

/**
 * Asks a task with scripted turns: each is asked after the model's answer to the one before, whatever that was. The last answer is what
 * is graded; a call that fails ends them all, so that the sample is tried again from its start.
 */
export async function oneDialogue(context: SampleContext, question: Question, turns: readonly MessageContent[]): Promise<Call> {
  const { ports } = context
  const { request } = question
  const startedAt = ports.now()
  const calls: Call[] = []
  const call = callInTurn(context, question, calls)
  const log = new CallLog()
  const messages: Turn[] = [...request.messages]
  const answers: EarlierAnswer[] = []
  const ended = (outcome: CallOutcome) => asOneCall(calls, outcome, { startedAt, finishedAt: ports.now() })
  for (const next of turns) {
    const outcome = log.add(await call({ ...request, messages: [...messages] }))
    if (!outcome.ok) return ended(log.failed(outcome))
    answers.push({ output: outcome.output, reasoning: outcome.reasoning ?? null })
    messages.push({ role: 'assistant', content: outcome.output }, { role: 'user', content: next })
  }
  const last = log.add(await call({ ...request, messages }))
  return ended(last.ok ? { ...log.answered(last, last.output), refused: last.refused, earlierAnswers: answers } : log.failed(last))
}
