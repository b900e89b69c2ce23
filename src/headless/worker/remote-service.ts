import type { Api, OperationId } from '../../contract/api.ts'
import { buildRequest, parseReply } from '../../contract/client-by-id.ts'
import { ServiceError } from '../../contract/client.ts'
import type { Request, Response } from '../../contract/endpoint.ts'

/** The service that a worker has joined. */
export interface RemoteService {
  call<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
}

/** Milliseconds for one reply; that to a report waits up to 30 seconds for its scores to be stored. */
const replyTimeoutMs = 15_000
const receiptTimeoutMs = 60_000

/** @throws ServiceError when the key is refused; Error when nothing answers */
export async function connectRemote(origin: string, key: string): Promise<RemoteService> {
  const send = (workspaceId: string | null): RemoteService => ({
    call: async (id, request) => {
      const { method, url, headers, body } = buildRequest(id, request)
      const reply = await fetch(origin + url, {
        method,
        headers: { ...headers, authorization: `Bearer ${key}`, ...(workspaceId === null ? {} : { 'x-workspace-id': workspaceId }) },
        redirect: 'error',
        signal: AbortSignal.timeout(id === 'reportBatch' ? receiptTimeoutMs : replyTimeoutMs),
        ...(body === undefined ? {} : { body }),
      })
      return parseReply(id, { status: reply.status, text: await reply.text() })
    },
  })
  const { items } = await send(null)
    .call('listWorkspaces', {})
    .catch((error: unknown) => {
      if (error instanceof ServiceError) throw error
      const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
      throw new Error(`No Assay answers at ${origin}: ${reason}. Start the service there, or correct --join.`, { cause: error })
    })
  const [workspace] = items
  if (!workspace) throw new Error(`The key belongs to no workspace of ${origin}.`)
  return send(workspace.id)
}
