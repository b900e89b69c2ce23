import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { acceptSettings, defaultIdleTimeoutMs, defaultMaxResponseBytes } from '../accept-settings.ts'
import type { AddressPolicy } from '../address-policy.ts'
import type { Fault } from '../fault.ts'
import type { Failure } from '../model-client.ts'
import type { TrafficMeter } from '../traffic.ts'
import { createExcerpt, createSecretScrubber, type SecretScrubber } from './excerpt.ts'
import { exchange } from './exchange.ts'
import { openPool } from './open-pool.ts'
import { probeFault } from './probe-fault.ts'
import { errorIn, type ProviderError } from './provider-error.ts'
import { decodeReply, namedDecoder } from './decode-body.ts'
import { type EventReader, isEventStream, type Reply, type ReplyContext, type ReplyReader, readReply } from './read-reply.ts'
import { badReplyFault, brokenOffFault, cancelledFault } from './reply-faults.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'
import { messageOf } from '../../../lib/message-of.ts'

/** What to call, and within which bounds. */
export interface TransportSettings {
  /** Up to and including the version part, e.g. `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | null
  /** Sent with every call; one named like a header of Assay's own replaces it. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for one whole call, waiting for a free socket included. */
  readonly attemptTimeoutMs: number
  /** For name, TCP and TLS of a new socket; 10 s unless given. */
  readonly connectTimeoutMs?: number
  /** Most sockets at a time; further calls wait. */
  readonly connections: number
  readonly addressPolicy: AddressPolicy
  /** Authorities in PEM form that are trusted beside those of the system; null: none. */
  readonly caCertificates?: string | null
  /** Most bytes of an answer, decoded. */
  readonly maxResponseBytes?: number
  /** Longest silence within an answer, in milliseconds. */
  readonly idleTimeoutMs?: number
  /** Resolves names; the system's resolver unless given. */
  readonly lookup?: LookupFunction
  /** Counts what goes over the wire. */
  readonly traffic?: TrafficMeter
  /** Milliseconds since 1970, to read dates in `Retry-After`. */
  readonly now?: () => number
}

/** One reply of a server, understood as far as every protocol agrees. */
export type JsonReply =
  | { readonly ok: true; readonly value: unknown; readonly wire: GoodReply['wire']; readonly latencyMs: number }
  | Failure

type GoodReply = Extract<Reply<unknown>, { ok: true }>

/** Posts JSON to one server and reads JSON back; what goes wrong on the way becomes a failure with a message for people. Retries are up to the caller; redirects are not followed. */
export interface JsonTransport {
  /** Posts JSON for an answer in the protocol's own form. @param encode makes the bytes of the body */
  ask<Content>(
    path: string,
    body: unknown,
    reader: ReplyReader<Content>,
    signal: AbortSignal,
    encode?: (body: unknown) => Buffer,
  ): Promise<Reply<Content>>
  /** @param headers for this request alone; one replaces its like */
  post(path: string, body: unknown, signal: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<JsonReply>
  get(path: string, signal: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<JsonReply>
  /** Posts a body that is not JSON. */
  postBytes(path: string, body: Buffer, contentType: string, signal: AbortSignal): Promise<JsonReply>
  /** The body of a success as text, however large its kind: results of a batch. */
  text(path: string, signal: AbortSignal): Promise<{ readonly ok: true; readonly text: string } | Failure>
  /** A reply that came as a part of another one, such as a line of a batch's results. */
  readItem<Content>(item: ReplyItem, reader: ReplyReader<Content>): Promise<Reply<Content>>
  /** Posts JSON for a stream of server-sent events; the value is what they hold, in their order, or the one value of a server that does not stream. */
  events(path: string, body: unknown, signal: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<JsonReply>
  /** Why a reply that arrived whole is not an answer. @param problem follows "The reply" */
  badReply(reply: Pick<GoodReply, 'wire' | 'latencyMs'>, problem: string): Failure
  /** The provider answered and says that it did not come to an end. @param reason its own word */
  brokenOff(reply: Pick<GoodReply, 'wire' | 'latencyMs'>, reason: string): Failure
  /** Whether anything answers below the base URL. */
  probe(path: string, signal: AbortSignal): Promise<Fault | null>
  readonly scrubber: SecretScrubber
  close(): Promise<void>
}

/** A reply within another one. */
export interface ReplyItem {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** The request that it answers. */
  readonly sent: Buffer
  readonly latencyMs: number
}

/** Bytes of the results of one batch. */
const mostTextBytes = 256 * 1024 * 1024
/** Milliseconds for reading them. */
const textDeadlineMs = 600_000

/** Nothing of what a probe is answered is read. */
const probeBytes = 1_000

const nothingSent = { request: null, response: null, httpStatus: null, retryAfterMs: null, latencyMs: 0 } as const

const asJson = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

const anyJson: ReplyReader<unknown> = { json: value => ({ ok: true, content: value }) }

/**
 * The one transport of every protocol.
 * @param protocol what texts for people call it
 * @param own the protocol's headers; one of the connection's replaces its like
 * @param errorOf finds the error in a reply of status 2xx
 */
export function createJsonTransport(
  settings: TransportSettings,
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
    scrubber,
    errorOf,
    now: settings.now ?? Date.now,
  }
  const pool = openPool(url, {
    addressPolicy: settings.addressPolicy,
    connections: settings.connections,
    caCertificates: settings.caCertificates,
    lookup: settings.lookup,
    connectTimeoutMs: settings.connectTimeoutMs,
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
  const base = trimEndOf(url.pathname, /\//)

  const exchangeFor = async <Content>(
    request: Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers'>,
    sent: Buffer | null,
    reader: ReplyReader<Content>,
    signal: AbortSignal,
  ): Promise<Reply<Content>> => {
    let stream: EventReader<Content> | null = null
    const finished = await exchange(
      pool,
      { origin: url.origin, ...request, body: sent },
      {
        traffic: settings.traffic,
        signal,
        deadlineMs: settings.attemptTimeoutMs,
        maxBodyBytes: context.maxResponseBytes,
        readerFor: (status, { 'content-type': type = '', 'content-encoding': encoding }) => {
          const events = status < 300 && encoding === undefined && isEventStream(type) ? (reader.events?.() ?? null) : null
          stream = events
          if (!events) return null
          const isUtf8 = namedDecoder(type) === null
          return chunk => {
            const progress = events.read(chunk)
            // Read in UTF-8 as they come; in the charset that the head names they may be sound.
            return isUtf8 || events.fault?.kind !== 'malformed' ? progress : 'more'
          }
        },
      },
    )
    return readReply(finished, { sent, reader, stream }, context)
  }
  const send = async <Content>(
    method: 'GET' | 'POST',
    path: string,
    content: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly reader: ReplyReader<Content> },
    signal: AbortSignal,
    encode = asJson,
  ): Promise<Reply<Content>> => {
    if (signal.aborted) return { ok: false, ...cancelledFault, ...nothingSent }
    try {
      const sent = content.body === undefined ? null : encode(content.body)
      const request = { method, path: `${base}${path}${url.search}`, headers: { ...headers, ...content.headers } }
      return await exchangeFor(request, sent, content.reader, signal)
    } catch (error) {
      const reason = messageOf(error)
      return { ok: false, code: 'bad_request', message: `Assay could not make this call: ${context.excerpt(reason)}`, ...nothingSent }
    }
  }
  const json = async (reply: Promise<Reply<unknown>>): Promise<JsonReply> => {
    const settled = await reply
    if (!settled.ok) return settled
    const { content, ...rest } = settled
    return { ...rest, value: content }
  }
  return {
    ask: (path, body, reader, signal, encode) => send('POST', path, { body, reader }, signal, encode),
    post: (path, body, signal, own) => json(send('POST', path, { body, reader: anyJson, ...(own && { headers: own }) }, signal)),
    get: (path, signal, own) => json(send('GET', path, { reader: anyJson, ...(own && { headers: own }) }, signal)),
    postBytes: async (path, body, contentType, signal) => {
      if (signal.aborted) return { ok: false, ...cancelledFault, ...nothingSent }
      const request = { method: 'POST' as const, path: `${base}${path}${url.search}`, headers: { ...headers, 'content-type': contentType } }
      return json(exchangeFor(request, body, anyJson, signal))
    },
    text: async (path, signal) => {
      if (signal.aborted) return { ok: false, ...cancelledFault, ...nothingSent }
      const finished = await exchange(
        pool,
        { origin: url.origin, method: 'GET', path: `${base}${path}${url.search}`, headers: { ...headers, accept: '*/*' } },
        { traffic: settings.traffic, signal, deadlineMs: textDeadlineMs, maxBodyBytes: mostTextBytes, readerFor: () => null },
      )
      const { status, ending } = finished
      const { body } = await decodeReply(finished.body, finished.headers, mostTextBytes)
      if (status !== null && status < 300 && ending.how === 'complete' && body)
        return { ok: true, text: context.scrubber.text(body.toString()) }
      const reply = await readReply(finished, { sent: null, reader: anyJson, stream: null }, context)
      return reply.ok
        ? {
            ok: false,
            ...badReplyFault('ended before it was complete', finished, context),
            ...reply.wire,
            retryAfterMs: null,
            latencyMs: reply.latencyMs,
          }
        : reply
    },
    readItem: ({ status, body, sent, latencyMs }, reader) =>
      readReply(
        {
          ending: { how: 'complete' },
          sent: true,
          status,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(body),
          latencyMs,
        },
        { sent, reader, stream: null },
        context,
      ),
    events: (path, body, signal, own) =>
      json(send('POST', path, { body, headers: { accept: 'text/event-stream', ...own }, reader: anyJson }, signal)),
    badReply: ({ wire, latencyMs }, problem) => ({
      ok: false,
      ...badReplyFault(problem, { status: wire.httpStatus }, context),
      ...wire,
      retryAfterMs: null,
      latencyMs,
    }),
    brokenOff: ({ wire, latencyMs }, reason) => ({ ok: false, ...brokenOffFault(reason, context), ...wire, retryAfterMs: null, latencyMs }),
    probe: async (path, signal) => {
      const finished = await exchange(
        pool,
        { origin: url.origin, method: 'GET', path: `${base}${path}${url.search}` || '/', headers },
        { signal, deadlineMs: settings.attemptTimeoutMs, maxBodyBytes: probeBytes, readerFor: () => () => 'done' },
      )
      return probeFault(finished, url.origin)
    },
    scrubber,
    close: () => pool.destroy(),
  }
}

/** For settings that no call can be made with. */
function refusingTransport(fault: Fault, scrubber: SecretScrubber): JsonTransport {
  const failure = { ok: false, ...fault, ...nothingSent } as const
  return {
    ask: async () => failure,
    post: async () => failure,
    get: async () => failure,
    postBytes: async () => failure,
    text: async () => failure,
    readItem: async () => failure,
    events: async () => failure,
    probe: async () => fault,
    badReply: () => failure,
    brokenOff: () => failure,
    scrubber,
    close: async () => {},
  }
}
