import type { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { ErrorBody } from './error.schemas.ts'

/** The HTTP request, for any HTTP library. */
export interface WireRequest {
  readonly method: Endpoint['method']
  /** Path with query, starting with a slash. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface WireResponse {
  readonly status: number
  readonly text: string
}

/** An error response of the service, or a response that violates the contract. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly detail: NonNullable<ErrorBody['detail']>
  /** The reply as it came; null where there was none of the API's. */
  readonly body: ErrorBody | null

  constructor(
    status: number,
    code: string,
    message: string,
    requestId: string | null,
    detail: NonNullable<ErrorBody['detail']> = [],
    body: ErrorBody | null = null,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.detail = detail
    this.body = body
  }
}

/** A request without its operation's types. */
export interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Path with its placeholders filled, each value percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function queryString(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return pairs.length ? `?${pairs.join('&')}` : ''
}

/** The HTTP request of an operation, for a caller that has its declaration; `buildRequest` finds it by its id. */
export function buildWireRequest(endpoint: Endpoint, { params, query, body, headers }: AnyRequest): WireRequest {
  return {
    method: endpoint.method,
    url: fillPath(endpoint.path, params) + queryString(query),
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** What an operation's schema makes of a reply. @param remedy a sentence for a reply that violates the contract. @throws {ServiceError} for an error, and for a reply that violates the contract */
export function parseWireReply(id: string, endpoint: Endpoint, reply: WireResponse, remedy = ''): unknown {
  if (reply.status >= 400) throw readError(reply)
  if (!endpoint.response) throw new ServiceError(reply.status, 'bad_reply', `${id} answers a file, not JSON`, null)
  const parsed = endpoint.response.safeParse(readJson(reply))
  if (!parsed.success)
    throw new ServiceError(
      reply.status,
      'bad_reply',
      `The answer of ${id} does not keep the contract: ${first(parsed.error)}.${remedy}`,
      null,
    )
  return parsed.data
}

export function readError(reply: WireResponse): ServiceError {
  const parsed = ErrorBody.safeParse(readJson(reply))
  if (!parsed.success)
    return new ServiceError(reply.status, 'bad_reply', `The service answered ${reply.status} without an error body`, null)
  const { error, detail } = parsed.data
  return new ServiceError(reply.status, error.code, error.message, error.request_id, detail, parsed.data)
}

function readJson(reply: WireResponse): unknown {
  try {
    return JSON.parse(reply.text)
  } catch {
    return undefined
  }
}

function first(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown'
}
