import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { decodeBody } from '../../engine/clients/http/decode-body.ts'
import type { RawBody, RawReply } from './handler.ts'

/** Gives a `raw` operation a separate scope, in which bodies arrive as bytes. */
export function mountRaw(app: FastifyInstance, { media = [], maxBody = 0 }: Endpoint, route: (scope: FastifyInstance) => void): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    for (const type of media)
      scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: maxBody }, (_request, body, done) => done(null, body))
    route(scope)
  })
}

/** @throws ApiError where the body does not decode, or is too large once decoded */
export async function readRawBody({ maxBody = 0, maxDecodedBody = maxBody }: Endpoint, request: FastifyRequest): Promise<RawBody> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const encoding = request.headers['content-encoding']
  const decoded = await decodeBody(body, encoding, maxDecodedBody)
  if (decoded.fault === 'too_large')
    throw new ApiError('payload_too_large', `The body is larger than ${maxDecodedBody} bytes once decoded.`)
  if (!decoded.body) throw new ApiError('malformed_request', `The body is not valid ${encoding ?? ''} data.`)
  return { mediaType: mediaTypeOf(request) ?? '', bytes: decoded.body }
}

/** The content type without its parameters. */
export function mediaTypeOf(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

export function sendRaw(reply: FastifyReply, status: number, { contentType, body }: RawReply): FastifyReply {
  return reply.code(status).type(contentType).send(body)
}
