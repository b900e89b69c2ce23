import { endingOf } from '../../../contract/runs/endings.ts'
import type { Answer, CallOutcome, EarlierCall, Failure } from '../../clients/model-client.ts'
import { sumCounts } from '../../clients/usage/usage.ts'

/** Keeps what went over the wire and adds up what it took. */
export class CallLog {
  readonly #calls: CallOutcome[] = []

  add(outcome: CallOutcome): CallOutcome {
    this.#calls.push(outcome)
    return outcome
  }

  failed(outcome: Failure): CallOutcome {
    const before = this.#calls.at(-2)
    if (outcome.code !== 'cancelled' || outcome.request !== null || !before) return { ...outcome, ...this.#sums() }
    this.#calls.pop()
    const { request, response, httpStatus } = before
    const turns = this.#calls.length
    const message = `Stopped after ${turns} ${turns === 1 ? 'turn' : 'turns'}. ${outcome.message}`
    return { ...outcome, message, request, response, httpStatus, ...this.#sums() }
  }

  /** @param output of them all together */
  answered(last: Answer, output: string): Answer {
    const { toolCalls: _, carried: __, ...answer } = last
    return {
      ...answer,
      ...this.#sums(),
      ...sumCounts(this.#calls),
      refused: endingOf(last.finishReason) === 'refused',
      output,
    }
  }

  #sums(): { latencyMs: number; earlier: EarlierCall[]; notes: NonNullable<CallOutcome['notes']> } {
    return {
      latencyMs: this.#calls.reduce((sum, call) => sum + call.latencyMs, 0),
      earlier: this.#calls.flatMap(({ request, response, earlier = [] }, i) =>
        i < this.#calls.length - 1 ? [...earlier, { request, response }] : earlier,
      ),
      // Each call of an episode is told the same again.
      notes: [...new Map(this.#calls.flatMap(({ notes = [] }) => notes).map(note => [`${note.code} ${note.message}`, note])).values()],
    }
  }
}
