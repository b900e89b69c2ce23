import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Api, OperationId } from '../../contract/api.ts'
import { buildRequest, parseReply } from '../../contract/client-by-id.ts'
import { readError, ServiceError } from '../../contract/client.ts'
import type { Request, Response } from '../../contract/endpoint.ts'
import { findRunningService, isOurService } from '../../service/lifecycle/running-service.ts'
import type { ServiceFile } from '../../service/lifecycle/service-file.ts'
import { failureReason } from '../describe-failure.ts'
import { replaceFile } from './replace-file.ts'

/** No service works on the data folder, or what answers at its address is another program. */
export class NoServiceError extends Error {
  override readonly name = 'NoServiceError'
}

/** A running service, asked with the workspace's local key. Its identity is proven before the key is sent, after each restart again. */
export interface ServiceClient {
  call<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** The same as the owner, who is at this machine: for what a key may not do. */
  callAsOwner<Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>>
  /** A request that the typed client does not express: a form, an event stream. Refusals are thrown as `ServiceError`. */
  send(path: string, init?: RequestInit): Promise<globalThis.Response>
  /** Writes the reply to a file, whole or not at all; to standard output where the path is `-`. */
  download(path: string, target: string): Promise<void>
  /** The page of the browser UI for a path, e.g. `/runs/ID`. */
  pageUrl(path: string): string
}

/** @throws NoServiceError */
export async function connect(dataDir: string): Promise<ServiceClient> {
  let file = await proven(dataDir)
  const request = (url: string, init: RequestInit, as: 'api_key' | 'session_token'): Promise<globalThis.Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${file[as]}`)
    if (!headers.has('x-workspace-id')) headers.set('x-workspace-id', file.workspace_id)
    return fetch(file.base_url + url, { ...init, headers, redirect: 'error' })
  }
  const send = async (url: string, init: RequestInit = {}, as: 'api_key' | 'session_token' = 'api_key'): Promise<globalThis.Response> => {
    let reply: globalThis.Response
    try {
      reply = await request(url, init, as)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // A service that was restarted has another port and key; one that is the same may have closed a socket just as it was used again.
      const present = findRunningService(dataDir)
      const isOther = present !== null && present.api_key !== file.api_key
      const changesNothing = (init.method ?? 'GET') === 'GET'
      if (!isOther && !changesNothing) throw unanswered(file, error)
      if (isOther) file = await proven(dataDir)
      reply = await request(url, init, as).catch((second: unknown) => {
        throw second instanceof TypeError ? unanswered(file, second) : second
      })
    }
    if (reply.status >= 400) throw readError({ status: reply.status, text: await reply.text() })
    return reply
  }
  const call = async <Id extends OperationId>(id: Id, input: Request<Api[Id]>, as: 'api_key' | 'session_token') => {
    const { method, url, headers, body } = buildRequest(id, input)
    const reply = await send(url, { method, headers, ...(body === undefined ? {} : { body }) }, as)
    return parseReply(id, { status: reply.status, text: await reply.text() })
  }
  return {
    send: (path, init) => send(path, init),
    call: (id, input) => call(id, input, 'api_key'),
    callAsOwner: (id, input) => call(id, input, 'session_token'),
    download: async (url, target) => {
      const reply = await send(url)
      if (reply.body === null) throw new ServiceError(reply.status, 'bad_reply', `The reply to ${url} has no content.`, null)
      const content = Readable.from(reply.body)
      if (target === '-') await toStandardOutput(content)
      else await replaceFile(content, target)
    },
    pageUrl: path => file.base_url + path,
  }
}

/** Faults of standard output are judged by `watchOutput`. */
async function toStandardOutput(content: Readable): Promise<void> {
  let fault: unknown
  // The process's own stream is never destroyed, so that it keeps no error.
  const note = (error: Error) => (fault = error)
  process.stdout.once('error', note)
  try {
    await pipeline(content, process.stdout, { end: false })
  } catch (error) {
    if (error !== fault) throw error
  } finally {
    process.stdout.off('error', note)
  }
}

function unanswered({ base_url: address }: ServiceFile, error: unknown): NoServiceError {
  return new NoServiceError(`The service at ${address} did not answer: ${failureReason(error)}`)
}

async function proven(dataDir: string): Promise<ServiceFile> {
  const file = findRunningService(dataDir)
  if (!file)
    throw new NoServiceError(
      `No service is running on ${dataDir}. Start it with "assay serve", name its folder with --data-dir, or add --ephemeral to start one for this command.`,
    )
  const isOurs = await isOurService(file).catch((error: unknown) => {
    throw unanswered(file, error)
  })
  if (!isOurs)
    throw new NoServiceError(
      `Another program answers at ${file.base_url}, not the Assay of ${dataDir}. Nothing was sent to it. Stop that program, then start Assay again.`,
    )
  return file
}
