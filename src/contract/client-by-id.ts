import { api, type Api, type OperationId } from './api.ts'
import { type AnyRequest, buildWireRequest, parseWireReply, type WireRequest, type WireResponse } from './client.ts'
import type { Request, Response } from './endpoint.ts'

// Apart from client.ts, so that a page that knows its few operations does not load all of them.

export function buildRequest<Id extends OperationId>(id: Id, request: Request<Api[Id]>): WireRequest {
  // The operation's own types were checked at the call; from here on it is read as plain data.
  return buildWireRequest(api[id], request as AnyRequest)
}

/** A page of the service need not say it: loading it again is enough. */
const otherVersion = ' The service may run another version of Assay. If so, install the same one.'

export function parseReply<Id extends OperationId>(id: Id, reply: WireResponse): Response<Api[Id]> {
  // The schema that parsed it is the one that the type was inferred from.
  return parseWireReply(id, api[id], reply, otherVersion) as Response<Api[Id]>
}
