import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** How often an open stream looks whether its credentials still hold, in milliseconds. */
const period = 1000

/** Aborted when the client goes, and within a second after `admit` begins to throw: a stream is a request that does not end. */
export function whileAdmitted(gone: AbortSignal, admit: () => unknown): AbortSignal {
  const refused = new AbortController()
  const timer = setInterval(() => {
    if (!holds(admit)) refused.abort()
  }, period)
  const ended = AbortSignal.any([gone, refused.signal])
  ended.addEventListener('abort', () => clearInterval(timer), { once: true })
  return ended
}

/** Sends what the iterable yields as server-sent events, one `data:` line each, until it or the admission ends. */
export function sendEvents(reply: FastifyReply, ended: AbortSignal, admit: () => unknown, events: AsyncIterable<unknown>): FastifyReply {
  return reply
    .code(200)
    .type('text/event-stream; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(Readable.from(frames(events, ended, admit), { objectMode: false }))
}

/** Watchers of the same thing are given the same events, so each is written out once. */
const written = new WeakMap<object, string>()

function frameOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return `data: ${JSON.stringify(event)}\n\n`
  const known = written.get(event) ?? `data: ${JSON.stringify(event)}\n\n`
  written.set(event, known)
  return known
}

async function* frames(events: AsyncIterable<unknown>, ended: AbortSignal, admit: () => unknown): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  for await (const event of events) {
    if (ended.aborted || !holds(admit)) return
    yield frameOf(event)
  }
}

function holds(admit: () => unknown): boolean {
  try {
    admit()
    return true
  } catch {
    return false
  }
}
