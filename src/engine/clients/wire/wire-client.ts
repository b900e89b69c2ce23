import type { Dispatcher } from 'undici'
import { Pool } from 'undici'
import { acceptSettings, defaultIdleTimeoutMs, defaultMaxResponseBytes } from '../accept-settings.ts'
import { portOf } from '../address-policy.ts'
import { createConnector } from '../http/connector.ts'
import { parseAnnouncedRate } from '../http/announced-rate.ts'
import { decodeBody } from '../http/decode-body.ts'
import { type Exchange, exchange } from '../http/exchange.ts'
import { probeFault } from '../http/probe-fault.ts'
import { parseRetryAfter } from '../http/retry-after.ts'
import type { Fault } from '../fault.ts'
import { echoRequest, readEcho } from '../loglikelihood/echoed-logprobs.ts'
import type { CallNote, CallOptions, CallOutcome, ModelClient, ModelRequest, Wire } from '../model-client.ts'
import { withRefusals } from '../refused-parameters.ts'
import { type SecretScrubber, createSecretScrubber, createExcerpt } from '../openai/excerpt.ts'
import { parseJson } from '../openai/parse-json.ts'
import { errorIn, type ProviderError } from '../openai/provider-error.ts'
import { providerFault } from '../openai/provider-fault.ts'
import type { ReplyContext } from '../openai/read-reply.ts'
import { badReplyFault, cancelledFault, faultWithoutHead, interruptionFault, redirectFault, tooLargeFault } from '../openai/reply-faults.ts'
import type { OpenAiChatSettings } from '../openai-chat.ts'
import { eventValues } from './event-values.ts'
import { bearer, type WireProtocol, type WireReading } from './wire-protocol.ts'

/** As for a chat-completions server; `streaming` does not apply, answers come whole. */
export type WireSettings = Omit<OpenAiChatSettings, 'streaming'>

/** One reply of a server, understood as far as every protocol agrees. */
export type JsonReply =
  | { readonly ok: true; readonly value: unknown; readonly wire: Wire; readonly latencyMs: number }
  | Extract<CallOutcome, { ok: false }>

/** Posts JSON to one server and reads JSON back; what goes wrong on the way becomes a failure with a message for people. */
export interface JsonTransport {
  post(path: string, body: unknown, signal: AbortSignal): Promise<JsonReply>
  get(path: string, signal: AbortSignal): Promise<JsonReply>
  /** Posts JSON for a stream of server-sent events; the value is what they hold, in their order, or the one value of a server that does not stream. */
  events(path: string, body: unknown, signal: AbortSignal): Promise<JsonReply>
  /** Why a reply that arrived whole is no answer. @param problem follows "The reply" */
  badReply(reply: Extract<JsonReply, { ok: true }>, problem: string): Extract<CallOutcome, { ok: false }>
  /** Whether anything answers below the base URL. */
  probe(path: string, signal: AbortSignal): Promise<Fault | null>
  readonly scrubber: SecretScrubber
  close(): Promise<void>
}

/** A client for one protocol with its own transport. Retries are up to the caller. */
export function createWireClient(settings: WireSettings, protocol: WireProtocol): ModelClient {
  const transport = createJsonTransport(settings, protocol.title, protocol.headers(settings.apiKey))
  return {
    call: (request, { signal }) => callOver(transport, protocol, settings.model, request, signal),
    probe: ({ signal }) => transport.probe('', signal),
    close: () => transport.close(),
  }
}

/** Adds log-likelihoods to a client, through the completions endpoint beside its chat endpoint. */
export function withLoglikelihoods(client: ModelClient, settings: WireSettings): ModelClient {
  const transport = createJsonTransport(settings, 'OpenAI completions', bearer(settings.apiKey))
  return {
    ...(client.reach ? { reach: client.reach } : {}),
    call: (request, options) => client.call(request, options),
    probe: options => client.probe(options),
    loglikelihood: async (request, { signal }) => {
      const { path, body } = echoRequest(request, settings.model)
      const reply = await transport.post(path, body, signal)
      if (!reply.ok) return reply
      const reading = readEcho(reply.value, request)
      if (!reading.ok) return transport.badReply(reply, reading.problem)
      return { ok: true, ...reading.content, ...reply.wire, latencyMs: reply.latencyMs }
    },
    close: async () => {
      await Promise.all([client.close(), transport.close()])
    },
  }
}

async function callOver(
  transport: JsonTransport,
  protocol: WireProtocol,
  model: string,
  request: ModelRequest,
  signal: CallOptions['signal'],
): Promise<CallOutcome> {
  const { path, body, notes } = protocol.request(request, model)
  const reply = await transport.post(path, body, signal)
  return withRefusals(withNotes(reply.ok ? answerOf(transport, reply, protocol.read(reply.value)) : reply, notes), () => body)
}

function answerOf(transport: JsonTransport, reply: Extract<JsonReply, { ok: true }>, reading: WireReading): CallOutcome {
  if (!reading.ok) return transport.badReply(reply, reading.problem)
  const { content } = reading
  return { ok: true, ...content, output: transport.scrubber.text(content.output), ...reply.wire, latencyMs: reply.latencyMs }
}

function withNotes(outcome: CallOutcome, notes: readonly CallNote[]): CallOutcome {
  return notes.length === 0 ? outcome : { ...outcome, notes }
}

/**
 * @param protocol what texts for people call it
 * @param own the protocol's headers; one of the connection's replaces its like
 * @param errorOf finds the error in a reply of status 2xx
 */
export function createJsonTransport(
  settings: WireSettings,
  protocol: string,
  own: Readonly<Record<string, string>>,
  errorOf: (value: unknown) => ProviderError | null = value => errorIn(value, false),
): JsonTransport {
  const secrets = [...(settings.apiKey === null ? [] : [settings.apiKey]), ...Object.values(settings.headers)]
  const scrubber = createSecretScrubber(secrets)
  const url = acceptSettings(settings)
  if (!(url instanceof URL)) return refusingTransport(url, scrubber)
  const context: ReplyContext = {
    origin: url.origin,
    model: settings.model,
    hasKey: settings.apiKey !== null,
    protocol,
    excerpt: createExcerpt(secrets),
    attemptTimeoutMs: settings.attemptTimeoutMs,
    maxResponseBytes: settings.maxResponseBytes ?? defaultMaxResponseBytes,
    now: settings.now ?? Date.now,
  }
  const pool = new Pool(url.origin, {
    connections: settings.connections,
    connect: createConnector({
      policy: settings.addressPolicy,
      port: portOf(url),
      ...(settings.lookup ? { lookup: settings.lookup } : {}),
    }),
    // Until the head arrives the deadline counts alone: a server may work all that time.
    headersTimeout: 0,
    bodyTimeout: settings.idleTimeoutMs ?? defaultIdleTimeoutMs,
  })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Assay',
    ...own,
  }
  for (const [name, value] of Object.entries(settings.headers)) headers[name.toLowerCase()] = value
  const base = url.pathname.replace(/\/+$/, '')
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    body: Buffer | null,
    signal: AbortSignal,
    more: Readonly<Record<string, string>> = {},
  ): Promise<JsonReply> => {
    if (signal.aborted) return { ok: false, ...cancelledFault, ...nothingSent }
    const request: Dispatcher.DispatchOptions = { method, path: `${base}${path}${url.search}`, headers: { ...headers, ...more }, body }
    const finished = await exchange(pool, request, {
      traffic: settings.traffic,
      signal,
      deadlineMs: settings.attemptTimeoutMs,
      maxBodyBytes: context.maxResponseBytes,
      readerFor: () => null,
    })
    return readJson(finished, { sent: body, errorOf, scrubber }, context)
  }
  return {
    post: (path, body, signal) => send('POST', path, Buffer.from(JSON.stringify(body)), signal),
    get: (path, signal) => send('GET', path, null, signal),
    events: (path, body, signal) => send('POST', path, Buffer.from(JSON.stringify(body)), signal, { accept: 'text/event-stream' }),
    badReply: ({ wire, latencyMs }, problem) => ({
      ok: false,
      code: 'bad_response',
      message: `The reply of ${url.origin} (HTTP ${wire.httpStatus}) ${problem}. Check that the base URL leads to a server that speaks ${protocol}, the protocol of the connection.`,
      ...wire,
      retryAfterMs: null,
      latencyMs,
    }),
    probe: async (path, signal) => {
      const finished = await exchange(
        pool,
        { method: 'GET', path: `${base}${path}${url.search}` || '/', headers },
        { signal, deadlineMs: settings.attemptTimeoutMs, maxBodyBytes: probeBytes, readerFor: () => () => true },
      )
      return probeFault(finished, url.origin)
    },
    scrubber,
    close: () => pool.destroy(),
  }
}

/** Nothing of what a probe is answered is read. */
const probeBytes = 1_000

const nothingSent = { request: null, response: null, httpStatus: null, retryAfterMs: null, latencyMs: 0 } as const

function refusingTransport(fault: Fault, scrubber: SecretScrubber): JsonTransport {
  const failure = { ok: false, ...fault, ...nothingSent } as const
  return {
    post: async () => failure,
    get: async () => failure,
    events: async () => failure,
    probe: async () => fault,
    badReply: () => failure,
    scrubber,
    close: async () => {},
  }
}

interface Reading {
  readonly sent: Buffer | null
  readonly errorOf: (value: unknown) => ProviderError | null
  readonly scrubber: SecretScrubber
}

async function readJson(finished: Exchange, { sent, errorOf, scrubber }: Reading, context: ReplyContext): Promise<JsonReply> {
  const { status, headers, latencyMs, ending } = finished
  const retryAfterMs = parseRetryAfter(headers, context.now())
  const wireOf = (body: Buffer): Wire => ({
    request: finished.sent ? sent : null,
    // A provider may echo the key, which would then be stored, shown and exported.
    response: status === null ? null : scrubber.bytes(body),
    httpStatus: status,
    announced: parseAnnouncedRate(headers, context.now()),
  })
  const failed = (fault: Fault, body = finished.body): JsonReply => ({ ok: false, ...fault, ...wireOf(body), retryAfterMs, latencyMs })
  if (status === null || ending.how === 'cancelled') return failed(faultWithoutHead(finished, context))
  if (status >= 300 && status < 400) return failed(redirectFault(finished, context))
  const { body, fault } = await decodeBody(finished.body, headers['content-encoding'], context.maxResponseBytes)
  if (!body) return failed(fault === 'too_large' ? tooLargeFault(context) : badReplyFault('could not be decoded', finished, context))
  const interruption = interruptionFault(finished, context)
  const text = body.toString()
  const isStream = (headers['content-type'] ?? '').includes('text/event-stream')
  const json = isStream && status < 300 ? { ok: true as const, value: eventValues(text) } : parseJson(text)
  if (status >= 400) {
    const said = (json.ok ? errorIn(json.value, true) : null) ?? { message: text, code: null, status: null }
    return failed(providerFault({ status, error: said, retryAfterMs }, context), body)
  }
  if (interruption) return failed(interruption, body)
  if (!json.ok) return failed(badReplyFault(json.problem, finished, context, text), body)
  const error = errorOf(json.value)
  if (error) return failed(providerFault({ status, error, retryAfterMs }, context), body)
  return { ok: true, value: json.value, wire: wireOf(body), latencyMs }
}
