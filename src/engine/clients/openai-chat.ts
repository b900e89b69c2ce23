import type { LookupFunction } from 'node:net'
import { Pool } from 'undici'
import { acceptSettings, defaultIdleTimeoutMs, defaultMaxResponseBytes } from './accept-settings.ts'
import type { AddressPolicy } from './address-policy.ts'
import type { Fault } from './fault.ts'
import { parseAnnouncedRate } from './http/announced-rate.ts'
import { createConnector } from './http/connector.ts'
import { type Exchange, exchange } from './http/exchange.ts'
import { probeFault } from './http/probe-fault.ts'
import type { CallOptions, CallOutcome, ModelClient, ModelRequest, Wire } from './model-client.ts'
import { createEndpoint, type Endpoint } from './openai/endpoint.ts'
import { type SecretScrubber, createSecretScrubber, createExcerpt } from './openai/excerpt.ts'
import type { TrafficMeter } from './traffic.ts'
import { isEventStream, type ReplyContext, readReply } from './openai/read-reply.ts'
import { cancelledFault } from './openai/reply-faults.ts'
import { chatBody, requestBody } from './openai/request-body.ts'
import { withRefusals } from './refused-parameters.ts'
import { StreamReply } from './openai/stream-reply.ts'

export interface OpenAiChatSettings {
  /** Up to and including the version part, e.g. `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | null
  /** Sent with every call; one named like a header of Assay's own replaces it. */
  readonly headers: Readonly<Record<string, string>>
  readonly streaming: boolean
  /** Milliseconds for one whole call, waiting for a free socket included. */
  readonly attemptTimeoutMs: number
  /** Most sockets at a time; further calls wait. */
  readonly connections: number
  readonly addressPolicy: AddressPolicy
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

/** Nothing of what a probe is answered is read. */
const probeBytes = 1_000

const nothingSent: Wire & { retryAfterMs: null } = { request: null, response: null, httpStatus: null, retryAfterMs: null }

/** Speaks the chat-completions protocol of OpenAI, which most model servers offer. Follows no redirects; retries are the caller's. */
export function createOpenAiChatClient(settings: OpenAiChatSettings): ModelClient {
  const baseUrl = acceptSettings(settings)
  if (!(baseUrl instanceof URL)) return refusingClient(baseUrl)
  return new OpenAiChatClient(createEndpoint({ ...settings, baseUrl }), settings)
}

/** A client for settings that no call can be made with. */
function refusingClient(fault: Fault): ModelClient {
  return {
    call: async () => ({ ok: false, ...fault, ...nothingSent, latencyMs: 0 }),
    probe: async () => fault,
    close: async () => {},
  }
}

class OpenAiChatClient implements ModelClient {
  readonly #endpoint: Endpoint
  readonly #settings: OpenAiChatSettings
  readonly #context: ReplyContext
  readonly #scrubber: SecretScrubber
  readonly #pool: Pool

  constructor(endpoint: Endpoint, settings: OpenAiChatSettings) {
    const secrets = [...(settings.apiKey === null ? [] : [settings.apiKey]), ...Object.values(settings.headers)]
    this.#endpoint = endpoint
    this.#settings = settings
    this.#scrubber = createSecretScrubber(secrets)
    this.#context = {
      origin: endpoint.origin,
      model: settings.model,
      hasKey: settings.apiKey !== null,
      protocol: 'OpenAI chat completions',
      excerpt: createExcerpt(secrets),
      attemptTimeoutMs: settings.attemptTimeoutMs,
      maxResponseBytes: settings.maxResponseBytes ?? defaultMaxResponseBytes,
      now: settings.now ?? Date.now,
    }
    this.#pool = new Pool(endpoint.origin, {
      connections: settings.connections,
      connect: createConnector({
        policy: settings.addressPolicy,
        port: endpoint.port,
        ...(settings.lookup ? { lookup: settings.lookup } : {}),
      }),
      // Until the head arrives the deadline counts alone: a server may work all that time.
      headersTimeout: 0,
      bodyTimeout: settings.idleTimeoutMs ?? defaultIdleTimeoutMs,
    })
  }

  async call(request: ModelRequest, { signal }: CallOptions): Promise<CallOutcome> {
    if (signal.aborted) return { ok: false, ...cancelledFault, ...nothingSent, latencyMs: 0 }
    try {
      const settings = { ...this.#settings, limitField: this.#endpoint.limitField }
      return withRefusals(await this.#send(requestBody(request, settings), signal), () => chatBody(request, settings))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return {
        ok: false,
        code: 'bad_request',
        message: `Assay could not make this call: ${this.#context.excerpt(reason)}`,
        ...nothingSent,
        latencyMs: 0,
      }
    }
  }

  async #send(body: Buffer, signal: AbortSignal): Promise<CallOutcome> {
    let stream: StreamReply | null = null
    const finished = await exchange(
      this.#pool,
      { origin: this.#endpoint.origin, method: 'POST', path: this.#endpoint.path, headers: this.#endpoint.headers, body },
      {
        signal,
        deadlineMs: this.#settings.attemptTimeoutMs,
        maxBodyBytes: this.#context.maxResponseBytes,
        traffic: this.#settings.traffic,
        readerFor: (status, headers) => {
          const plainEvents = status < 300 && isEventStream(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
          stream = plainEvents ? new StreamReply() : null
          return stream && (chunk => stream?.read(chunk) ?? false)
        },
      },
    )
    return this.#outcome(body, finished, stream)
  }

  async #outcome(sent: Buffer, finished: Exchange, stream: StreamReply | null): Promise<CallOutcome> {
    const { result, body, retryAfterMs } = await readReply(finished, stream, this.#context)
    const wire: Wire = {
      request: finished.sent ? sent : null,
      // A provider may echo the key, which would then be stored, shown and exported.
      response: finished.status === null ? null : this.#scrubber.bytes(body),
      httpStatus: finished.status,
      announced: parseAnnouncedRate(finished.headers, this.#context.now()),
    }
    const { latencyMs } = finished
    return result.ok
      ? { ok: true, ...result.content, output: this.#scrubber.text(result.content.output), ...wire, latencyMs }
      : { ok: false, ...result.fault, ...wire, retryAfterMs, latencyMs }
  }

  async probe({ signal }: CallOptions): Promise<Fault | null> {
    const { origin, path, headers } = this.#endpoint
    const finished = await exchange(
      this.#pool,
      { origin, method: 'GET', path, headers },
      { signal, deadlineMs: this.#settings.attemptTimeoutMs, maxBodyBytes: probeBytes, readerFor: () => () => true },
    )
    return probeFault(finished, origin)
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
