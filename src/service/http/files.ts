import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileReply } from './handler.ts'

interface Range {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

/**
 * Sends a file, as a download unless a page may show it, whose name holds nothing but safe characters. What never changes can be resumed where it broke off, by
 * `Range` and `If-Range` (RFC 9110, section 14).
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileReply): FastifyReply {
  const name = file.fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 120)
  const disposition = file.isShown ? 'inline' : 'attachment'
  void reply.type(file.contentType).headers({ 'content-disposition': `${disposition}; filename="${name}"` })
  if (file.isShown !== undefined) void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  if (file.kind === 'stream') return reply.code(200).send(file.stream)
  const { bytes, etag } = file
  void reply.headers({ 'accept-ranges': 'bytes', etag })
  const range = rangeOf(request, etag, bytes)
  if (range === 'beyond') {
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${bytes}` })
      .send()
  }
  if (range === null)
    return reply
      .code(200)
      .headers({ 'content-length': String(bytes) })
      .send(file.open(0, bytes - 1))
  return reply
    .code(206)
    .headers({ 'content-length': String(range.to - range.from + 1), 'content-range': `bytes ${range.from}-${range.to}/${bytes}` })
    .send(file.open(range.from, range.to))
}

/** Null where the whole file is to be sent: none is asked for, several are, it makes no sense, or it is of another file. */
function rangeOf({ headers }: FastifyRequest, etag: string, bytes: number): Range | 'beyond' | null {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return null
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') return last === '0' || bytes === 0 ? 'beyond' : { from: Math.max(0, bytes - Number(last)), to: bytes - 1 }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (from >= bytes) return 'beyond'
  return last !== '' && Number(last) < from ? null : { from, to }
}
