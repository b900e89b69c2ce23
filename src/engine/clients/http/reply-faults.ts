import { formatBytes } from '../../../lib/format/bytes.ts'
import { formatDuration } from '../../../lib/format/time.ts'
import type { Fault } from '../fault.ts'
import type { Exchange } from './exchange.ts'
import { networkFault } from './network-fault.ts'
import type { FaultContext } from './provider-fault.ts'

export interface ReplyLimits {
  /** Milliseconds for one whole call. */
  readonly attemptTimeoutMs: number
  readonly maxResponseBytes: number
}

type Context = FaultContext & ReplyLimits

export const cancelledFault: Fault = { code: 'cancelled', message: 'The call was cancelled.' }

/** The exchange ended before the head of a response, or was cancelled. */
export function faultWithoutHead({ ending }: Exchange, context: Context): Fault {
  if (ending.how === 'cancelled') return cancelledFault
  if (ending.how === 'failed') return networkFault(ending.error, context.origin)
  return timeoutFault(context)
}

/** Of a status of 3xx: 300 and 304 lead elsewhere only where they say where. */
export function redirectFault({ status, headers }: Exchange, context: Context): Fault {
  const { origin, excerpt } = context
  if (headers.location === undefined && (status === 300 || status === 304))
    return badReplyFault('is no answer and names no other address', { status }, context)
  const target = typeof headers.location === 'string' ? URL.parse(headers.location, origin) : null
  // The origin alone: the rest of the address may hold a key.
  const where = target === null ? 'elsewhere' : `to ${excerpt(target.origin)}`
  const advice = 'Redirects are never followed, so that a key cannot reach another server: enter the final address as the base URL.'
  return { code: 'redirect_refused', message: `${origin} redirects ${where} (HTTP ${status}). ${advice}` }
}

/** Null: the body arrived whole. */
export function interruptionFault({ ending }: Exchange, context: Context): Fault | null {
  switch (ending.how) {
    case 'complete':
    case 'enough':
      return null
    case 'cancelled':
      return cancelledFault
    case 'too_large':
      return tooLargeFault(context)
    case 'out_of_time':
      return timeoutFault(context)
    case 'failed':
      return midAnswerFault(ending.error, context.origin)
  }
}

function midAnswerFault(error: Error, origin: string): Fault {
  const fault = networkFault(error, origin)
  if (fault.code === 'cancelled') return fault
  if ('code' in error && error.code === 'UND_ERR_BODY_TIMEOUT') {
    return { code: 'timeout', message: `${origin} began to answer and then fell silent. If it happens again, look at the server’s log.` }
  }
  return { code: 'bad_response', message: `${origin} cut its answer off before the end. If it happens again, look at the server’s log.` }
}

export function tooLargeFault({ origin, maxResponseBytes, protocol }: Context): Fault {
  const advice = `An answer by ${protocol} is far smaller: check that the base URL leads to a server that speaks it.`
  return {
    code: 'response_too_large',
    message: `The answer of ${origin} passed ${formatBytes(maxResponseBytes)} and was cut off. ${advice}`,
  }
}

function timeoutFault({ origin, attemptTimeoutMs }: Context): Fault {
  const advice = 'Raise the connection’s request timeout, or ask for shorter answers.'
  return { code: 'timeout', message: `${origin} gave no complete answer within ${formatDuration(attemptTimeoutMs)}. ${advice}` }
}

/** A reply whose own finish reason says that the provider, not the model, ended it. */
export function brokenOffFault(reason: string, { origin, excerpt }: Context): Fault {
  const advice = 'If it happens again, check the provider’s status page or the server’s log.'
  return { code: 'provider_failure', message: `${origin} broke its answer off (finish reason “${excerpt(reason)}”). ${advice}` }
}

/**
 * A reply that is not what the protocol promises.
 * @param problem Follows "The reply of <server>", e.g. `is empty`.
 * @param text What it said, to quote the beginning.
 */
export function badReplyFault(
  problem: string,
  { status }: Pick<Exchange, 'status'>,
  { origin, excerpt, protocol }: Context,
  text = '',
): Fault {
  const beginning = excerpt(text)
  const quote = beginning === '' ? '' : ` It begins “${beginning}”.`
  const advice = `Check that the base URL leads to a server that speaks ${protocol}, including its version part where it has one, such as /v1.`
  return { code: 'bad_response', message: `The reply of ${origin} (HTTP ${status}) ${problem}.${quote} ${advice}` }
}
