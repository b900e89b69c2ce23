import type { CallOutcome } from '../model-client.ts'

/**
 * Whether a provider may bill a call that it has not counted: it was sent and never answered, or answered with a success that could not
 * be read. What such a call was reserved stays set aside, and it is shown as possibly billed.
 */
export function isBillUnknown(outcome: CallOutcome): boolean {
  if (outcome.ok) return false
  const { code, httpStatus, request } = outcome
  switch (code) {
    case 'worker_lost':
      return true
    case 'timeout':
    case 'cancelled':
      return request !== null
    case 'bad_response':
    case 'response_too_large':
      return httpStatus !== null && httpStatus >= 200 && httpStatus < 300
    default:
      return false
  }
}
