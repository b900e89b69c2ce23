import type { Api, OperationId } from '../../contract/api.ts'
import { buildRequest, parseReply } from '../../contract/client-by-id.ts'
import { ServiceError } from '../../contract/client.ts'
import type { Request, Response } from '../../contract/endpoint.ts'
import { type MediaFile, NotResizedError } from '../../engine/clients/media-source.ts'

/** The service that a worker has joined. */
export interface RemoteService {
  call<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** A file of a call that this worker holds; null where the service has none. */
  media(params: Request<Api['getBatchMedia']>['params'], maxImagePixels?: number): Promise<MediaFile | null>
}

/** Milliseconds for one reply; that to a report waits up to 30 seconds for its scores to be stored. */
const replyTimeoutMs = 15_000
const receiptTimeoutMs = 60_000

/** @throws ServiceError when the key is refused; Error when nothing answers */
export async function connectRemote(origin: string, key: string): Promise<RemoteService> {
  const ask = <Id extends OperationId>(workspaceId: string | null, id: Id, request: Request<Api[Id]>): Promise<globalThis.Response> => {
    const { method, url, headers, body } = buildRequest(id, request)
    return fetch(origin + url, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}`, ...(workspaceId === null ? {} : { 'x-workspace-id': workspaceId }) },
      redirect: 'error',
      signal: AbortSignal.timeout(id === 'reportBatch' ? receiptTimeoutMs : replyTimeoutMs),
      ...(body === undefined ? {} : { body }),
    })
  }
  const send = (workspaceId: string | null): RemoteService => ({
    call: async (id, request) => {
      const reply = await ask(workspaceId, id, request)
      return parseReply(id, { status: reply.status, text: await reply.text() })
    },
    media: async (params, maxImagePixels) => {
      const query = maxImagePixels === undefined ? {} : { max_image_pixels: maxImagePixels }
      const reply = await ask(workspaceId, 'getBatchMedia', { params, query })
      if (reply.status === 404) return null
      if (reply.status === 422) throw new NotResizedError(`The image ${params.digest} could not be resized by the service.`)
      if (!reply.ok) throw new Error(`The service answered ${reply.status} for the file ${params.digest}.`)
      return { bytes: new Uint8Array(await reply.arrayBuffer()), mediaType: reply.headers.get('content-type') ?? '' }
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
