import { abandonWork, type CallOutcome, type EarlierCall, newWork } from '../../clients/model-client.ts'
import type { CallModel } from '../environments/episode.ts'
import { type Call, oneCall, type Question } from './one-call.ts'
import type { SampleContext } from './sample-context.ts'

/** Makes the calls of a sample that takes several: each waits for the endpoint and the cap like any other. @param calls that were made, added to */
export function callInTurn(context: SampleContext, question: Question, calls: Call[]): CallModel {
  return async request => {
    // A turn that the endpoint takes no call for waits in its place: what came before it was billed.
    const refused: EarlierCall[] = []
    const work = newWork()
    for (;;) {
      const call = await oneCall(context, { ...question, request, isFirst: question.isFirst && calls.length === 0, work })
      const { outcome } = call
      const isAbandoned = !call.isRefused && (await abandonWork(work))
      calls.push(isAbandoned ? { ...call, isBillUnknown: true } : call)
      if (!call.isRefused) return refused.length === 0 ? outcome : { ...outcome, earlier: [...refused, ...(outcome.earlier ?? [])] }
      refused.push({ request: outcome.request, response: outcome.response })
    }
  }
}

/** The calls of a sample as one, with their outcomes. */
export function asOneCall(calls: readonly Call[], outcome: CallOutcome, times: Pick<Call, 'startedAt' | 'finishedAt'>): Call {
  const last = calls.at(-1)
  return {
    outcome,
    cost: calls.reduce((sum, { cost }) => sum + cost, 0n),
    isBillUnknown: calls.some(call => call.isBillUnknown),
    uncertain: calls.reduce((sum, { uncertain }) => sum + uncertain, 0n),
    ...times,
    streak: last?.streak ?? null,
    isFirstOfStreak: last?.isFirstOfStreak ?? false,
    isRefused: false,
    // A user whose reply is missing comes after a call that has ended.
    turnsBefore: last?.outcome.ok && !outcome.ok ? calls.length : Math.max(0, calls.length - 1),
    isTooLate: last?.isTooLate ?? false,
  }
}
