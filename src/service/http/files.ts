import type { FastifyReply } from 'fastify'
import type { FileReply } from './handler.ts'

/** Sends a file as a download whose name holds nothing but safe characters. */
export function sendFile(reply: FastifyReply, file: FileReply): FastifyReply {
  const name = file.fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 120)
  return reply
    .code(200)
    .type(file.contentType)
    .headers({
      'content-disposition': `attachment; filename="${name}"`,
      ...(file.bytes === null ? {} : { 'content-length': String(file.bytes) }),
    })
    .send(file.stream)
}
