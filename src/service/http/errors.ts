import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../contract/error.schemas.ts'
import { ApiError, type ErrorCode, errorCodes } from '../../contract/errors.ts'
import { PromptTooLargeError } from '../../engine/execution/samples/render-prompt.ts'
import { storageFault } from '../../storage/storage-fault.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import type { StorageHealth } from '../lifecycle/storage-health.ts'
import type { ConnectionLimits } from './connection-limits.ts'

/** The body of spec 2.7, and `detail` beside it on a 422. */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      request_id: requestId,
      feedback: { url: '/v1/feedback', method: 'POST', request_id: requestId, docs: '/docs/feedback' },
    },
  }
  if (error.status !== 422) return body
  const detail = error.detail.length ? error.detail : [{ loc: ['body'], msg: error.message, type: error.code }]
  return { ...body, detail: detail.map(d => ({ ...d, loc: [...d.loc] })) }
}

/** Turns whatever was thrown into an answer; what we did not expect is logged and tells the client nothing but its request id. */
export function installErrorHandler(
  app: FastifyInstance,
  storage: Pick<StorageHealth, 'note'>,
  connections: Pick<ConnectionLimits, 'refuse'>,
): void {
  app.setErrorHandler(async (thrown: unknown, request, reply) => {
    await connections.refuse(request.raw.socket)
    const tooLarge = bodyTooLarge(thrown, request)
    // Fastify would close the connection, and a client that is still sending would read a reset, not this answer. Node drops the rest.
    if (tooLarge) reply.removeHeader('connection')
    const error = storage.note(thrown) ?? tooLarge ?? toApiError(thrown)
    if (error.status >= 500 && error.code === 'internal_error') request.log.error({ err: thrown }, 'unexpected failure')
    return sendError(error, request, reply)
  })
}

export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(error.status)
    .headers({ ...(error.status === 401 && { 'www-authenticate': 'Bearer realm="assay"' }), ...error.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)))
}

/** There is no reader; it only ends the request. */
export function clientGone(): ApiError {
  return new ApiError('unavailable', 'The client left before its turn.')
}

export function databaseBusy(): ApiError {
  return new ApiError('unavailable', 'Another program is using the database: nothing was stored. Try again.', {
    headers: { 'retry-after': '1' },
  })
}

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const code = codeOf(thrown)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupported_media_type', 'Send the body as application/json.')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new ApiError('malformed_request', 'The body is not as long as its Content-Length says.')
  if (code === 'FST_ERR_BAD_URL') return new ApiError('not_found', 'The path cannot be read.')
  const fault = storageFault(thrown)
  if (fault === 'busy') return databaseBusy()
  if (fault === 'unopenable')
    return new ApiError(
      'unavailable',
      'The database file could not be opened: nothing was stored. Check that it is in the data folder and readable.',
    )
  if (thrown instanceof PromptTooLargeError) return new ApiError('validation_error', thrown.message)
  if (thrown instanceof WorkLimitError) return new ApiError('unavailable', `${thrown.message} Ask for less at a time.`)
  return refusedByLibrary(thrown) ?? new ApiError('internal_error', `${errorCodes.internal_error.meaning}`)
}

/** With its length where the client states one: a body that is sent in pieces is cut off at the limit. */
function bodyTooLarge(thrown: unknown, request: FastifyRequest): ApiError | null {
  const code = codeOf(thrown)
  if (code !== 'FST_ERR_CTP_BODY_TOO_LARGE' && code !== 'FST_REQ_FILE_TOO_LARGE') return null
  const { bodyLimit } = request.routeOptions
  const length = Number(request.headers['content-length'])
  const [size, most] = [formatBytes(length), formatBytes(bodyLimit)]
  const told = length > bodyLimit ? (size === most ? `${formatNumber(length)} bytes` : size) : `more than ${most}`
  return new ApiError(
    'payload_too_large',
    `The request has ${told}, and this operation accepts at most ${size === most ? `${formatNumber(bodyLimit)} bytes` : most}. Send less at a time.`,
  )
}

const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
}

/** What the HTTP libraries refuse as the client's fault stays that; their texts name files, so they are not passed on. */
function refusedByLibrary(thrown: unknown): ApiError | null {
  if (!(thrown instanceof Error)) return null
  const status = 'statusCode' in thrown ? thrown.statusCode : 'status' in thrown ? thrown.status : null
  if (typeof status !== 'number' || status < 400 || status > 499) return null
  // Of a file that may not be read no more is told than of one that is not there.
  if (status === 403) return new ApiError('not_found', 'The path cannot be read.')
  const code = codesByStatus[status] ?? 'malformed_request'
  return new ApiError(code, errorCodes[code].meaning, { status })
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String((thrown as FastifyError).code) : undefined // any error may carry a code; only its text is read
}
