import type { Api, OperationId } from '../../contract/api.ts'
import { type AnyRequest, buildWireRequest, readError } from '../../contract/client.ts'
import type { Request } from '../../contract/endpoint.ts'
import { send } from './client.ts'
import { endpointOf } from './endpoints.ts'

/** Operations that answer a file. */
type FileOperation = { [Id in OperationId]: Api[Id]['kind'] extends 'file' ? Id : never }[OperationId]

/**
 * Fetches a file and gives it to the user: the native save dialog in the desktop app, the browser's download elsewhere.
 *
 * @param fileName null for the name that the service gives
 * @returns whether it was saved; false where the user closed the save dialog.
 * @throws {ServiceError} where the service refuses.
 */
export async function saveFile<Id extends FileOperation>(id: Id, request: Request<Api[Id]>, fileName: string | null): Promise<boolean> {
  const reply = await sendFor(id, request, null)
  return give(await reply.blob(), fileName ?? sentName(reply))
}

/** The bytes of a file, for the page itself. @throws {ServiceError} where the service refuses. */
export async function fetchFile<Id extends FileOperation>(id: Id, request: Request<Api[Id]>, signal: AbortSignal): Promise<Blob> {
  return (await sendFor(id, request, signal)).blob()
}

async function sendFor<Id extends FileOperation>(
  id: Id,
  request: Request<Api[Id]>,
  signal: AbortSignal | null,
): Promise<globalThis.Response> {
  const wire = buildWireRequest(await endpointOf(id), request as AnyRequest) // its types were checked at the call
  const reply = await send(wire.url, { method: wire.method, headers: { ...wire.headers, accept: '*/*' }, signal })
  if (!reply.ok) throw readError({ status: reply.status, text: await reply.text() })
  return reply
}

function sentName(reply: globalThis.Response): string {
  return /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? 'export'
}

/** Gives the user a text that the page holds already. @returns whether it was saved. */
export function saveText(text: string, type: string, fileName: string): Promise<boolean> {
  return give(new Blob([text], { type }), fileName)
}

async function give(blob: Blob, fileName: string): Promise<boolean> {
  return window.assay ? saveInDesktopApp(window.assay, blob, fileName) : saveInBrowser(blob, fileName)
}

async function saveInDesktopApp(desktop: NonNullable<typeof window.assay>, blob: Blob, fileName: string): Promise<boolean> {
  const saved = await desktop.saveFile(fileName, new Uint8Array(await blob.arrayBuffer()))
  if (saved.outcome === 'failed') throw new Error(saved.reason)
  return saved.outcome === 'saved'
}

function saveInBrowser(blob: Blob, fileName: string): boolean {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has taken the blob by the time the next task runs.
  setTimeout(() => URL.revokeObjectURL(url), 0)
  return true
}
