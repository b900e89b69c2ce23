import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import type { Ids } from '../kernel.ts'
import { errorBody } from './errors.ts'

const reasons: Readonly<Record<number, readonly [string, string]>> = {
  400: ['Bad Request', 'The request is not HTTP as this service reads it.'],
  408: ['Request Timeout', 'The request did not arrive whole in time.'],
  431: ['Request Header Fields Too Large', 'The request line and headers together are larger than 16 KiB.'],
}

/** Answers what Node's parser refuses, before there is a request, with the same body as every other refusal. */
export function answerClientError(ids: Ids): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
    const [phrase = '', message = ''] = reasons[status] ?? []
    const requestId = ids.next()
    const body = JSON.stringify(errorBody(new ApiError('malformed_request', message, { status }), requestId))
    const head = [
      `HTTP/1.1 ${status} ${phrase}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}
