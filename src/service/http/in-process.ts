import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Api, OperationId } from '../../contract/api.ts'
import { buildRequest, parseReply } from '../../contract/client-by-id.ts'
import { readError } from '../../contract/client.ts'
import type { Request, Response } from '../../contract/endpoint.ts'

export interface InProcessCalls {
  /** @throws ServiceError as the HTTP interface refuses it */
  call<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** A request that the typed client does not express: a form, a file, content of another form. @throws ServiceError */
  send(path: string, request?: { readonly form: FormData } | { readonly json: object }): Promise<string>
}

/**
 * The service's own interface without a socket: each call passes the guard, the key's scope and spending limit, the rate limit, validation and
 * idempotency like any request.
 *
 * @param headers credentials, workspace and Host of the request that the calls are made for
 */
export function callInProcess(http: FastifyInstance, headers: Readonly<Record<string, string>>): InProcessCalls {
  const inject = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, own: object, payload?: string | FormData) => {
    const sent = payload === undefined ? {} : { payload }
    const reply = await http.inject({ method, url, headers: { ...headers, ...own }, ...sent, Request: OwnRequest })
    return { status: reply.statusCode, text: reply.body }
  }
  return {
    call: async (id, request) => {
      const { method, url, headers: own, body } = buildRequest(id, request)
      return parseReply(id, await inject(method, url, own, body))
    },
    send: async (path, request) => {
      const accept = { accept: '*/*' }
      const reply =
        request && 'json' in request
          ? await inject('POST', path, { ...accept, 'content-type': 'application/json' }, JSON.stringify(request.json))
          : await inject(request ? 'POST' : 'GET', path, accept, request?.form)
      if (reply.status >= 400) throw readError(reply)
      return reply.text
    },
  }
}

/** A request without a socket, with its headers as the guard reads them. */
class OwnRequest extends Readable {
  declare readonly rawHeaders: readonly string[]

  get headersDistinct(): Record<string, string[]> {
    const distinct: Record<string, string[]> = {}
    for (let at = 0; at < this.rawHeaders.length; at += 2) (distinct[this.rawHeaders[at] ?? ''] ??= []).push(this.rawHeaders[at + 1] ?? '')
    return distinct
  }
}
