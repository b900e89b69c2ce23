import type { FailureCode } from '../../../contract/runs/failure-codes.ts'
import type { CallOutcome, Failure } from '../model-client.ts'

/** A success that was not read to its end; with any other code, the body of the success itself was the error. */
const unread: ReadonlySet<FailureCode> = new Set(['bad_response', 'response_too_large', 'timeout', 'cancelled'])

/**
 * Whether a provider may bill a call that it has not counted: its request was sent, in whole or in part, and no answer to it was read, or
 * its answer came without a count. What such a call was reserved stays set aside, and it is shown as possibly billed.
 */
export function isBillUnknown(outcome: CallOutcome): boolean {
  if (outcome.ok) return outcome.request !== null && outcome.usage === null && outcome.statedPicoUsd === undefined
  // Nothing tells how far a lost worker came.
  return outcome.code === 'worker_lost' || (wasSent(outcome) && !isCounted(outcome) && (!wasAnswered(outcome) || isPartUncounted(outcome)))
}

/** A task that an agent was given is worked on, whether or not a later question about it could be sent. */
function wasSent({ request, earlier = [], usage }: Failure): boolean {
  return request !== null || (!usage && earlier.some(call => call.request !== null))
}

function wasAnswered({ code, httpStatus }: Failure): boolean {
  return httpStatus !== null && (httpStatus >= 300 || !unread.has(code))
}

/** The provider says what the call costs that failed. Behind earlier calls the count is theirs. */
function isCounted({ earlier = [], usage, statedPicoUsd }: Failure): boolean {
  return earlier.length === 0 && (usage ?? statedPicoUsd) !== undefined
}

/** The provider made a part of an answer before it failed, and does not say what that costs. */
function isPartUncounted({ usage, statedPicoUsd }: Failure): boolean {
  return usage === null && statedPicoUsd === undefined
}
