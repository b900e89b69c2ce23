import type { Fault } from '../fault.ts'
import { decodeBody } from '../http/decode-body.ts'
import type { Exchange } from '../http/exchange.ts'
import { parseRetryAfter } from '../http/retry-after.ts'
import { parseJson } from './parse-json.ts'
import { errorIn } from './provider-error.ts'
import { type FaultContext, providerFault } from './provider-fault.ts'
import { type AnswerContent, parseReply } from './reply.ts'
import { badReplyFault, faultWithoutHead, interruptionFault, type ReplyLimits, redirectFault, tooLargeFault } from './reply-faults.ts'
import { StreamReply } from './stream-reply.ts'

export interface ReplyContext extends FaultContext, ReplyLimits {
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type ReplyResult = { readonly ok: true; readonly content: AnswerContent } | { readonly ok: false; readonly fault: Fault }

export interface ReadReply {
  readonly result: ReplyResult
  /** Decoded, as far as it came. */
  readonly body: Buffer
  readonly retryAfterMs: number | null
}

/**
 * Decides what an exchange amounts to.
 * @param stream Has read the body already where it came as plain server-sent events.
 */
export async function readReply(exchange: Exchange, stream: StreamReply | null, context: ReplyContext): Promise<ReadReply> {
  const { status, headers } = exchange
  const retryAfterMs = parseRetryAfter(headers, context.now())
  const whole = (result: ReplyResult, body = exchange.body): ReadReply => ({ result, body, retryAfterMs })
  if (exchange.ending.how === 'cancelled' || status === null) return whole(failed(faultWithoutHead(exchange, context)))
  if (status >= 300 && status < 400) return whole(failed(redirectFault(exchange, context)))
  const decoded = await decodeBody(exchange.body, headers['content-encoding'], context.maxResponseBytes)
  if (status >= 400) {
    const json = decoded.body ? parseJson(decoded.body.toString()) : null
    const error = json?.ok ? errorIn(json.value, true) : null
    return whole(failed(providerFault({ status, error, retryAfterMs }, context)), decoded.body)
  }
  if (decoded.body) return whole(readAnswer({ ...exchange, status, body: decoded.body }, stream, retryAfterMs, context), decoded.body)
  const fault =
    decoded.fault === 'too_large'
      ? tooLargeFault(context)
      : badReplyFault('is compressed in a way that cannot be undone', exchange, context)
  return whole(failed(interruptionFault(exchange, context) ?? fault))
}

type AnswerExchange = Exchange & { readonly status: number }

function readAnswer(exchange: AnswerExchange, stream: StreamReply | null, retryAfterMs: number | null, context: ReplyContext): ReplyResult {
  const { ending, status, body, headers } = exchange
  const type = headers['content-type'] ?? ''
  const events = stream ?? (isEventStream(type) ? streamOf(body) : null)
  if (events) {
    if (ending.how === 'complete') events.end()
    return readStream(events, exchange, retryAfterMs, context)
  }
  const interruption = interruptionFault(exchange, context)
  if (interruption) return failed(interruption)
  if (body.length === 0) return failed(badReplyFault('is empty', exchange, context))
  const text = body.toString()
  const json = parseJson(text)
  if (!json.ok) return failed(badReplyFault(`${typeRemark(type, context)}${json.problem}`, exchange, context, text))
  const error = errorIn(json.value, false)
  if (error) return failed(providerFault({ status, error, retryAfterMs }, context))
  const reply = parseReply(json.value)
  return reply.ok ? reply : failed(badReplyFault(reply.problem, exchange, context))
}

function readStream(stream: StreamReply, exchange: AnswerExchange, retryAfterMs: number | null, context: ReplyContext): ReplyResult {
  const { fault, answer } = stream
  if (fault?.kind === 'provider_error') return failed(providerFault({ status: exchange.status, error: fault.error, retryAfterMs }, context))
  if (fault?.kind === 'too_large') return failed(tooLargeFault(context))
  if (fault) return failed(badReplyFault(fault.problem, exchange, context))
  // Once the model has said why it stopped, the text is whole, however the connection ended.
  if (answer && exchange.ending.how !== 'too_large') return { ok: true, content: answer }
  const interruption = interruptionFault(exchange, context)
  return failed(interruption ?? badReplyFault('ended before the answer was complete', exchange, context))
}

export const isEventStream = (contentType: string): boolean => contentType.toLowerCase().startsWith('text/event-stream')

function streamOf(body: Buffer): StreamReply {
  const stream = new StreamReply()
  stream.read(body)
  return stream
}

const typeRemark = (type: string, { excerpt }: ReplyContext): string =>
  type === '' || /json/i.test(type) ? '' : `is of type ${excerpt(type)} and `

const failed = (fault: Fault): ReplyResult => ({ ok: false, fault })
