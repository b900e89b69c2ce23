import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { accepts } from './accepted.ts'

const compressed = promisify(gzip)

/** Bytes below which an answer is sent as it is: its headers are as long. */
const fewest = 1024

/** Compresses texts for clients that take gzip, in a thread of the runtime; what is streamed or packed already goes as it is. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (typeof payload !== 'string' || Buffer.byteLength(payload) < fewest || reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'Accept-Encoding')
    if (!accepts(request.headers['accept-encoding'], 'gzip')) return payload
    const bytes = await compressed(payload, { level: 1 })
    reply.headers({ 'content-encoding': 'gzip', 'content-length': bytes.length })
    return bytes
  })
}
