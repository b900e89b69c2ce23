import type { Dispatcher } from 'undici'
import type { AddressPolicy } from '../address-policy.ts'
import { openPool } from '../http/open-pool.ts'
import { decodeReply } from '../http/decode-body.ts'
import { type Exchange, exchange } from '../http/exchange.ts'
import { networkFault } from '../http/network-fault.ts'
import { parseRetryAfter } from '../http/retry-after.ts'
import { parseHttpDate } from '../http/wait-time.ts'
import { createExcerpt, type Excerpt } from '../http/excerpt.ts'
import type { TrafficMeter } from '../traffic.ts'
import { ProviderFault, type ProviderFaultCode } from './provider-fault.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  /** After the base URL. */
  readonly path: string
  /** Undefined ones are left out; a list repeats the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ProviderReply {
  readonly body: Buffer
  /** What the headers announce about the endpoint. */
  readonly deprecation: Deprecation | null
}

export interface Deprecation {
  readonly message: string
  /** Milliseconds since 1970. */
  readonly sunsetAt: number | null
}

export interface ProviderTransport {
  /** @throws ProviderFault for anything but a whole reply of status 2xx */
  send(request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply>
  close(): Promise<void>
}

export interface ProviderTransportSettings {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** Never to be seen in a message. */
  readonly secrets: readonly string[]
  readonly addressPolicy: AddressPolicy
  readonly traffic?: TrafficMeter | undefined
  readonly now: () => number
}

/** Milliseconds for one request: providers give their own queries 30 s. */
const deadlineMs = 90_000
const idleTimeoutMs = 60_000
/** A page of 1,000 spans with long prompts. */
const maxBodyBytes = 64 * 1024 * 1024

/** HTTP to one provider: no redirects, no retries, addresses by the policy. */
export function createProviderTransport(settings: ProviderTransportSettings): ProviderTransport {
  const url = new URL(settings.baseUrl)
  const refusal = settings.addressPolicy.refusal(url)
  if (refusal !== null) {
    const refuse = async (): Promise<never> => {
      throw new ProviderFault('address_refused', refusal)
    }
    return { send: refuse, close: async () => {} }
  }
  const pool = openPool(url, { addressPolicy: settings.addressPolicy, connections: 2, headersTimeout: 0, bodyTimeout: idleTimeoutMs })
  const base = trimEndOf(url.pathname, /\//)
  const excerpt = createExcerpt(settings.secrets)
  return {
    send: async (request, signal) => {
      const body = request.body === undefined ? null : Buffer.from(JSON.stringify(request.body))
      const headers: Record<string, string> = {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'Assay',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...settings.headers,
        ...request.headers,
      }
      const options: Dispatcher.DispatchOptions = {
        method: request.method,
        path: `${base}${request.path}${queryString(request.query)}`,
        headers,
        body,
      }
      if (signal.aborted) throw new ProviderFault('cancelled', 'The request was stopped.')
      const finished = await exchange(pool, options, {
        signal,
        deadlineMs,
        maxBodyBytes,
        readerFor: () => null,
        traffic: settings.traffic,
      })
      return readReply(finished, url.origin, excerpt, settings.now())
    },
    close: () => pool.destroy(),
  }
}

function queryString(query: ProviderRequest['query'] = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one))
  }
  return pairs.size === 0 ? '' : `?${pairs.toString()}`
}

async function readReply(finished: Exchange, origin: string, excerpt: Excerpt, now: number): Promise<ProviderReply> {
  const { status, headers, ending } = finished
  if (ending.how === 'cancelled') throw new ProviderFault('cancelled', 'The request was stopped.')
  if (status === null) throw withoutHead(finished, origin)
  if (status >= 300 && status < 400)
    throw new ProviderFault('refused', `${origin} redirects (HTTP ${status}); redirects are not followed. Enter the final address.`, {
      status,
    })
  const decoded = await decodeReply(finished.body, headers, maxBodyBytes)
  const { body } = decoded
  if (status >= 400) throw statusFault(status, body ?? Buffer.alloc(0), { origin, excerpt, retryAfterMs: parseRetryAfter(headers, now) })
  if (decoded.fault === 'too_large' || ending.how === 'too_large')
    throw new ProviderFault('too_large', `A reply of ${origin} is larger than ${maxBodyBytes / 1024 / 1024} MiB.`, { status })
  if (!body) throw new ProviderFault('bad_response', `A reply of ${origin} could not be decoded.`, { status })
  if (ending.how !== 'complete') throw new ProviderFault('unavailable', `${origin} broke off in the middle of a reply.`, { status })
  return { body, deprecation: deprecationIn(headers) }
}

function withoutHead({ ending }: Exchange, origin: string): ProviderFault {
  if (ending.how === 'failed') {
    const { code, message } = networkFault(ending.error, origin)
    return new ProviderFault(code === 'address_refused' ? 'address_refused' : 'unavailable', message)
  }
  return new ProviderFault('unavailable', `${origin} did not answer within ${deadlineMs / 1000} s.`)
}

interface StatusContext {
  readonly origin: string
  readonly excerpt: Excerpt
  readonly retryAfterMs: number | null
}

function statusFault(status: number, body: Buffer, { origin, excerpt, retryAfterMs }: StatusContext): ProviderFault {
  const said = excerpt(wordsIn(body.toString())) || null
  const [code, message] = classify(status, origin)
  return new ProviderFault(code, message, { status, said, retryAfterMs })
}

function classify(status: number, origin: string): readonly [ProviderFaultCode, string] {
  if (status === 401 || status === 403)
    return ['credential_refused', `${origin} refused the credentials (HTTP ${status}). Check the key and that it belongs to this address.`]
  if (status === 404) return ['not_found', `${origin} has nothing at the requested path (HTTP 404). Check the address.`]
  if (status === 405 || status === 501) return ['unsupported', `${origin} does not offer this operation (HTTP ${status}).`]
  if (status === 429) return ['rate_limited', `${origin} throttles requests (HTTP 429).`]
  if (status >= 500) return ['unavailable', `${origin} failed (HTTP ${status}). Try again later.`]
  return ['refused', `${origin} refused the request (HTTP ${status}).`]
}

/** The message in an error body, whichever provider wrote it. */
function wordsIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return text
    const said = ['message', 'Message', 'detail', 'error'].map(name => Reflect.get(value, name) as unknown).find(each => each !== undefined)
    return typeof said === 'string' ? said : JSON.stringify(said ?? value)
  } catch {
    return text
  }
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
function deprecationIn(headers: Exchange['headers']): Deprecation | null {
  const sunsetAt =
    parseHttpDate(headers['sunset']) ?? (typeof headers['sunset'] === 'string' ? finite(Date.parse(headers['sunset'])) : null)
  const isDeprecated = headers['deprecation'] !== undefined && headers['deprecation'] !== 'false'
  if (!isDeprecated && sunsetAt === null) return null
  return { message: 'The provider has deprecated an endpoint that this import uses.', sunsetAt }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
