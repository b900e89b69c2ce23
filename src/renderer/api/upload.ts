import type { Api, OperationId } from '../../contract/api.ts'
import { fillPath, parseWireReply } from '../../contract/client.ts'
import type { Response } from '../../contract/endpoint.ts'
import { announceOutcome } from './announcements.ts'
import { unreachable } from './client.ts'
import { endpointOf } from './endpoints.ts'
import { reportReachable } from './reachability.ts'
import { workspaceHeaders } from './workspace.ts'

type UploadOperation = { [Id in OperationId]: Api[Id]['kind'] extends 'upload' | 'json_or_upload' ? Id : never }[OperationId]

export interface Upload {
  /** Of the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Text fields of the form; objects are sent as JSON text, absent ones not at all. */
  readonly fields: Readonly<Record<string, string | number | boolean | object | undefined>>
  readonly files: readonly File[]
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Share of the bytes that are sent, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Sends a multipart form. `XMLHttpRequest`, because `fetch` cannot tell how far a request body has got. */
export async function upload<Id extends UploadOperation>(
  id: Id,
  { params, fields, files, headers, signal, onProgress }: Upload,
): Promise<Response<Api[Id]>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  for (const file of files) form.append('file', file, pathOf(file))
  const endpoint = await endpointOf(id)
  signal?.throwIfAborted()

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, fillPath(endpoint.path, params))
    for (const [name, value] of Object.entries({ accept: 'application/json', ...workspaceHeaders(), ...headers }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = event => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      reportReachable(true)
      try {
        // The schema that parses it is the one that the type was inferred from.
        resolve(parseWireReply(id, endpoint, { status: request.status, text: request.responseText }) as Response<Api[Id]>)
        announceOutcome(id)
      } catch (error) {
        reject(error)
      }
    }
    request.onerror = () => {
      reportReachable(false)
      reject(unreachable())
    }
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

/** Where a file is in a folder that was dropped; its name otherwise. */
export function pathOf(file: File): string {
  const dropped = 'relativePath' in file && typeof file.relativePath === 'string' ? file.relativePath : file.webkitRelativePath
  return dropped.replace(/^[./\\]+/, '') || file.name
}
