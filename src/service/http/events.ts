import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends what the iterable yields as server-sent events, one `data:` line each, until it ends or the client goes. */
export function sendEvents(reply: FastifyReply, gone: AbortSignal, events: AsyncIterable<unknown>): FastifyReply {
  return reply
    .code(200)
    .type('text/event-stream; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(Readable.from(frames(events, gone), { objectMode: false }))
}

async function* frames(events: AsyncIterable<unknown>, gone: AbortSignal): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  for await (const event of events) {
    if (gone.aborted) return
    yield `data: ${JSON.stringify(event)}\n\n`
  }
}
