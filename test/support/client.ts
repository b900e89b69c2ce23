import type { Api, OperationId } from '../../src/contract/api.ts'
import { buildRequest, parseReply } from '../../src/contract/client-by-id.ts'
import { ServiceError } from '../../src/contract/client.ts'
import type { Request, Response } from '../../src/contract/endpoint.ts'

/** Apart from `service.ts`, so that a browser test, which drives the service from outside, need not load it. */
export interface TestClient {
  call<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** The refusal that the call is expected to meet; fails when it is carried out. */
  refusal<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<ServiceError>
  readonly headers: Readonly<Record<string, string>>
}

export function clientFor(baseUrl: string, token: string, workspaceId: string): TestClient {
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId }
  const call: TestClient['call'] = async (id, request) => {
    const { method, url, headers: own, body } = buildRequest(id, request)
    const reply = await fetch(baseUrl + url, { method, headers: { ...headers, ...own }, ...(body === undefined ? {} : { body }) })
    return parseReply(id, { status: reply.status, text: await reply.text() })
  }
  return {
    headers,
    call,
    refusal: async (id, request) => {
      try {
        await call(id, request)
      } catch (error) {
        if (error instanceof ServiceError) return error
        throw error
      }
      throw new Error(`${id} was carried out, though a refusal was expected.`)
    },
  }
}
