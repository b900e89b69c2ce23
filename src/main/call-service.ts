import type { Api, OperationId } from '../contract/api.ts'
import { buildRequest, parseReply } from '../contract/client-by-id.ts'
import type { Request, Response } from '../contract/endpoint.ts'
import type { Service } from '../service/config.ts'

/** Calls an operation of the service as the window's own session. Rejects as the service answers, or where it is not reached. */
export type Caller = <Id extends OperationId>(id: Id, request: Request<Api[Id]>) => Promise<Response<Api[Id]>>

/** The service's address and session are read at each call: they change when it starts again. */
export function createCaller(service: Pick<Service, 'baseUrl' | 'sessionToken' | 'workspaceId'>): Caller {
  return async (id, request) => {
    const { method, url, headers } = buildRequest(id, request)
    const reply = await fetch(new URL(url, service.baseUrl), { method, headers: { ...headers, ...authorization(service) } })
    return parseReply(id, { status: reply.status, text: await reply.text() })
  }
}

export function authorization({ sessionToken, workspaceId }: Pick<Service, 'sessionToken' | 'workspaceId'>): Record<string, string> {
  return { authorization: `Bearer ${sessionToken}`, 'x-workspace-id': workspaceId }
}
