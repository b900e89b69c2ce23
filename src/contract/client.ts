import type { z } from 'zod'
import { api, type Api, type OperationId } from './api.ts'
import type { Endpoint, Request, Response } from './endpoint.ts'
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

  constructor(status: number, code: string, message: string, requestId: string | null, detail: NonNullable<ErrorBody['detail']> = []) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.detail = detail
  }
}

/** A request without its operation's types. */
interface AnyRequest {
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

export function buildRequest<Id extends OperationId>(id: Id, request: Request<Api[Id]>): WireRequest {
  const endpoint: Endpoint = api[id]
  // The operation's own types were checked at the call; from here on it is read as plain data.
  const { params, query, body, headers } = request as AnyRequest
  return {
    method: endpoint.method,
    url: fillPath(endpoint.path, params) + queryString(query),
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

export function parseReply<Id extends OperationId>(id: Id, reply: WireResponse): Response<Api[Id]> {
  const endpoint: Endpoint = api[id]
  if (reply.status >= 400) throw readError(reply)
  if (!endpoint.response) throw new ServiceError(reply.status, 'bad_reply', `${id} answers a file, not JSON`, null)
  const parsed = endpoint.response.safeParse(readJson(reply))
  if (!parsed.success)
    throw new ServiceError(reply.status, 'bad_reply', `The answer of ${id} does not keep the contract: ${first(parsed.error)}`, null)
  // The schema that parsed it is the one that the type was inferred from.
  return parsed.data as Response<Api[Id]>
}

export function readError(reply: WireResponse): ServiceError {
  const parsed = ErrorBody.safeParse(readJson(reply))
  if (!parsed.success)
    return new ServiceError(reply.status, 'bad_reply', `The service answered ${reply.status} without an error body`, null)
  const { error, detail } = parsed.data
  return new ServiceError(reply.status, error.code, error.message, error.request_id, detail)
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
