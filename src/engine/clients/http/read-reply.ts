import type { Fault } from '../fault.ts'
import type { Failure, Wire } from '../model-client.ts'
import { parseAnnouncedRate } from './announced-rate.ts'
import { decodeReply } from './decode-body.ts'
import { eventValues } from './event-values.ts'
import type { SecretScrubber } from './excerpt.ts'
import type { Exchange, ReadProgress } from './exchange.ts'
import { parseJson } from './parse-json.ts'
import { errorIn, type ProviderError } from './provider-error.ts'
import { type FaultContext, providerFault } from './provider-fault.ts'
import { badReplyFault, faultWithoutHead, interruptionFault, type ReplyLimits, redirectFault, tooLargeFault } from './reply-faults.ts'
import { parseRetryAfter } from './retry-after.ts'
import { picoUsdOfHeader } from '../usage/read-usage.ts'
import { waitHint } from './throttle-hints.ts'

export interface ReplyContext extends FaultContext, ReplyLimits {
  readonly scrubber: SecretScrubber
  /** Finds the error in a reply of status 2xx. */
  readonly errorOf: (value: unknown) => ProviderError | null
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What a protocol makes of a reply's JSON. A problem follows "The reply": e.g. `has no choices`. */
export type Reading<Content> = { readonly ok: true; readonly content: Content } | { readonly ok: false; readonly problem: string }

/** Why a stream cannot become an answer. A problem follows "The reply". */
export type StreamFault =
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'provider_error'; readonly error: ProviderError }

/** Puts an answer together from server-sent events, while they come. */
export interface EventReader<Content> {
  read(chunk: Uint8Array): ReadProgress
  /** Call at the regular end of the body. */
  end(): void
  readonly fault: StreamFault | null
  /** Null until the stream said that the answer is whole. */
  readonly answer: Content | null
  /** What came of the answer, whole or not. */
  readonly part: Content
}

/** What a failed call costs as far as its provider says; `usage` is null where it made a part of an answer and counted nothing. */
export type FailureBill = Pick<Failure, 'usage' | 'statedPicoUsd'>

/** How the body of a success is understood. */
export interface ReplyReader<Content> {
  json(value: unknown): Reading<Content>
  /** Absent where the protocol streams no answers: the values of all events are then read as one JSON list. */
  events?: () => EventReader<Content>
  /** The price of what came before an error; absent where replies have none. */
  billOf?: (part: Content) => FailureBill
}

export type Reply<Content> =
  | {
      readonly ok: true
      readonly content: Content
      readonly wire: Wire
      readonly latencyMs: number
      /** Bytes of it are of no character. */
      readonly isDamaged: boolean
    }
  | Failure

interface Expected<Content> {
  /** The body of the request. */
  readonly sent: Buffer | null
  readonly reader: ReplyReader<Content>
  /** Has read the body already, where it came as plain server-sent events. */
  readonly stream: EventReader<Content> | null
}

/** With the pause that the reply asks for, where its body says it too. */
type ReplyFault = Fault & FailureBill & Partial<Pick<Failure, 'retryAfterMs'>>
type Result<Content> = { readonly ok: true; readonly content: Content } | { readonly ok: false; readonly fault: ReplyFault }

/** Decides what an exchange amounts to. */
export async function readReply<Content>(finished: Exchange, expected: Expected<Content>, context: ReplyContext): Promise<Reply<Content>> {
  const { status, headers, latencyMs } = finished
  const { result, body, isDamaged = false } = await readResult(finished, expected, context)
  // The head of a stream is sent before anybody knows what it will cost.
  const costHeader = expected.stream ? undefined : picoUsdOfHeader(headers['x-litellm-response-cost'])
  const wire: Wire = {
    request: finished.sent ? expected.sent : null,
    // A provider may echo the key, which would then be stored, shown and exported.
    response: status === null ? null : context.scrubber.bytes(body),
    httpStatus: status,
    announced: parseAnnouncedRate(headers, context.now()),
    ...(costHeader === undefined ? {} : { statedPicoUsd: costHeader }),
  }
  return result.ok
    ? { ok: true, content: result.content, wire, latencyMs, isDamaged }
    : { ok: false, retryAfterMs: parseRetryAfter(headers, context.now()), ...result.fault, ...wire, latencyMs }
}

/** The body is decoded, as far as it came, and in UTF-8. */
async function readResult<Content>(
  finished: Exchange,
  expected: Expected<Content>,
  context: ReplyContext,
): Promise<{ readonly result: Result<Content>; readonly body: Buffer; readonly isDamaged?: boolean }> {
  const { status, headers, ending } = finished
  const failed = (fault: ReplyFault, body = finished.body) => ({ result: { ok: false, fault } as const, body })
  if (ending.how === 'cancelled' || status === null) return failed(faultWithoutHead(finished, context))
  if (status >= 300 && status < 400) return failed(redirectFault(finished, context))
  const type = headers['content-type'] ?? ''
  const decoded = await decodeReply(finished.body, headers, context.maxResponseBytes)
  const { body } = decoded
  if (status >= 400) {
    const text = body?.toString() ?? ''
    const json = parseJson(text)
    const said = json.ok ? json.value : text
    return failed(refusal(finished, reportedError(said, type), said, context), body)
  }
  // Events were read as UTF-8 while they came.
  const stream = body === finished.body ? expected.stream : null
  if (body) return { ...decoded, result: readSuccess({ ...finished, status, body }, { ...expected, stream }, context) }
  const fault =
    decoded.fault === 'too_large'
      ? tooLargeFault(context)
      : badReplyFault('is compressed in a way that cannot be undone', finished, context)
  return failed(interruptionFault(finished, context) ?? fault)
}

/** Servers of few words say what is wrong in plain text; pages are written for browsers, of other markup the message counts. */
function reportedError(body: unknown, type: string): ProviderError | null {
  if (typeof body !== 'string') return errorIn(body, true)
  if (isEventStream(type) || looksLikeEvents(body)) return errorIn(eventValues(body), true)
  const isMarkup = /^\s*</.test(body)
  const said = isMarkup ? /<message>([^<]{1,2000})<\/message>/i.exec(body)?.[1] : body.trim()
  return said ? { message: said, code: null, status: null } : null
}

/** @param body what the provider said, as JSON or text */
function refusal(
  { status, headers }: Pick<Exchange, 'headers' | 'status'>,
  error: ProviderError | null,
  body: unknown,
  context: ReplyContext,
): ReplyFault {
  const retryAfterMs = waitHint(headers, body, context.now())
  return { ...providerFault({ status: status ?? 0, error, body, retryAfterMs }, context), retryAfterMs }
}

type AnswerExchange = Exchange & { readonly status: number }

function readSuccess<Content>(exchange: AnswerExchange, { reader, stream }: Expected<Content>, context: ReplyContext): Result<Content> {
  const { ending, body, headers } = exchange
  const type = headers['content-type'] ?? ''
  const isStream = isEventStream(type) || (ending.how === 'complete' && looksLikeEvents(body.subarray(0, 1000).toString()))
  const events = stream ?? (reader.events && isStream ? feed(reader.events(), body) : null)
  if (events) {
    if (ending.how === 'complete') events.end()
    const isWhole = events.answer !== null || events.fault !== null || ending.how !== 'complete'
    const whole = isWhole ? null : parseJson(body.toString())
    // Some servers label an answer as the stream that was asked for, and send it in one.
    if (!whole?.ok) return readStream(events, exchange, context, reader)
  }
  const interruption = interruptionFault(exchange, context)
  if (interruption) return { ok: false, fault: interruption }
  const bad = (problem: string, text = '') => ({ ok: false, fault: badReplyFault(problem, exchange, context, text) }) as const
  if (body.length === 0) return bad('is empty')
  const text = body.toString()
  const json = isStream && !events ? { ok: true as const, value: eventValues(text) } : parseJson(text)
  if (!json.ok) return bad(`${typeRemark(type, context)}${json.problem}`, text)
  const error = context.errorOf(json.value)
  const reading = reader.json(json.value)
  if (error) {
    // An error beside an answer, or behind events: what came before it may be billed.
    const made = reading.ok ? reader.billOf?.(reading.content) : Array.isArray(json.value) && json.value.length > 1 ? { usage: null } : {}
    return { ok: false, fault: { ...refusal(exchange, error, json.value, context), ...made } }
  }
  if (reading.ok) return reading
  // What is not an answer may be an error in a form that answers could have, too.
  const reported = errorIn(json.value, 'perhaps')
  return reported?.message ? { ok: false, fault: refusal(exchange, reported, json.value, context) } : bad(reading.problem)
}

function readStream<Content>(
  { fault, answer, part }: EventReader<Content>,
  exchange: AnswerExchange,
  context: ReplyContext,
  { billOf }: ReplyReader<Content>,
): Result<Content> {
  const failed = (found: ReplyFault) => ({ ok: false, fault: found }) as const
  if (fault?.kind === 'provider_error') return failed({ ...refusal(exchange, fault.error, fault.error, context), ...billOf?.(part) })
  if (fault?.kind === 'too_large') return failed(tooLargeFault(context))
  if (fault) return failed(badReplyFault(fault.problem, exchange, context))
  // Once the model has said why it stopped, the text is whole, however the connection ended.
  if (answer !== null && exchange.ending.how !== 'too_large') return { ok: true, content: answer }
  return failed(interruptionFault(exchange, context) ?? badReplyFault('ended before the answer was complete', exchange, context))
}

/** Servers that stream under another name. */
const looksLikeEvents = (text: string): boolean => /^\ufeff?\s*(?:(?:data|event|id): ?\S|: )/.test(text)

export const isEventStream = (contentType: string): boolean => contentType.toLowerCase().startsWith('text/event-stream')

function feed<Content>(events: EventReader<Content>, body: Buffer): EventReader<Content> {
  events.read(body)
  return events
}

const typeRemark = (type: string, { excerpt }: ReplyContext): string =>
  type === '' || /json/i.test(type) ? '' : `is of type ${excerpt(type)} and `
