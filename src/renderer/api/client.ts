import type { Api, OperationId } from '../../contract/api.ts'
import { type AnyRequest, buildWireRequest, parseWireReply, ServiceError } from '../../contract/client.ts'
import type { Request, Response } from '../../contract/endpoint.ts'
import { announceOutcome } from './announcements.ts'
import { endpointOf } from './endpoints.ts'
import { noteFailedOperation } from './failed-operations.ts'
import { reportReachable } from './reachability.ts'
import { workspaceHeaders } from './workspace.ts'

/** Code of the `ServiceError` for a request that got no answer at all. */
export const UNREACHABLE = 'unreachable'

interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** False where the caller shows a message, which is announced itself. */
  readonly announce?: boolean
}

/**
 * Calls one operation of the interface and parses its answer.
 *
 * @throws {ServiceError} for an error answer, an answer outside the contract, or no answer (`code` is `unreachable`, `status` 0).
 */
export async function call<Id extends OperationId>(
  id: Id,
  request: Request<Api[Id]>,
  options: CallOptions = {},
): Promise<Response<Api[Id]>> {
  return (await callPage(id, request, options)).data
}

/** The same for a listing that answers a plain array: with the cursor of its next page, null on the last. */
export async function callPage<Id extends OperationId>(
  id: Id,
  request: Request<Api[Id]>,
  options: CallOptions = {},
): Promise<{ readonly data: Response<Api[Id]>; readonly nextCursor: string | null }> {
  const endpoint = await endpointOf(id)
  // The operation's own types were checked at the call; from here on it is read as plain data.
  const wire = buildWireRequest(endpoint, request as AnyRequest)
  try {
    const reply = await send(wire.url, {
      method: wire.method,
      headers: wire.headers,
      body: wire.body ?? null,
      signal: options.signal ?? null,
    })
    const parsed = parseWireReply(id, endpoint, { status: reply.status, text: await reply.text() })
    if (options.announce !== false) announceOutcome(id)
    // The schema that parsed it is the one that the type was inferred from.
    return { data: parsed as Response<Api[Id]>, nextCursor: reply.headers.get('next-cursor') }
  } catch (error) {
    noteFailedOperation(error, id)
    throw error
  }
}

/** `fetch` to the own origin with the workspace's header; only a network failure throws. */
export async function send(url: string, init: RequestInit): Promise<globalThis.Response> {
  try {
    const reply = await fetch(url, {
      ...init,
      credentials: 'same-origin',
      headers: { ...workspaceHeaders(), ...plainHeaders(init.headers) },
    })
    reportReachable(true)
    return reply
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportReachable(false)
    throw unreachable()
  }
}

export function unreachable(): ServiceError {
  return new ServiceError(
    0,
    UNREACHABLE,
    'The Assay service does not respond. If it was stopped, start it again; this page reconnects.',
    null,
  )
}

function plainHeaders(headers: HeadersInit | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries())
}
