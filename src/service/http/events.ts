import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** How often an open stream looks whether its credentials still hold, in milliseconds. */
const period = 1000
/** Milliseconds within which the credentials are not looked at again. */
const sameMomentMs = 50

/** A stream is a request that does not end, so whether it may continue is checked again and again. */
export interface StreamAdmission {
  /** Aborted when the client goes, and within a second after its credentials no longer hold. */
  readonly ended: AbortSignal
  /** Asked before each event; events that follow each other at once are one. */
  holds(): boolean
}

/** @param admit throws once the credentials no longer hold */
export function whileAdmitted(gone: AbortSignal, admit: () => unknown): StreamAdmission {
  const refused = new AbortController()
  let lookedAt = performance.now()
  const look = () => {
    lookedAt = performance.now()
    try {
      admit()
    } catch {
      refused.abort()
    }
  }
  const timer = setInterval(() => {
    if (performance.now() - lookedAt > period / 2) look()
  }, period / 2)
  const ended = AbortSignal.any([gone, refused.signal])
  ended.addEventListener('abort', () => clearInterval(timer), { once: true })
  return {
    ended,
    holds: () => {
      if (!ended.aborted && performance.now() - lookedAt > sameMomentMs) look()
      return !ended.aborted
    },
  }
}

/** Sends what the iterable yields as server-sent events, one `data:` line each, until it or the admission ends. */
export function sendEvents(reply: FastifyReply, admission: StreamAdmission, events: AsyncIterable<unknown>): FastifyReply {
  return reply
    .code(200)
    .type('text/event-stream; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(Readable.from(frames(events, admission), { objectMode: false }))
}

/** Watchers of the same thing are given the same events, so each is written out once. */
const written = new WeakMap<object, string>()

function frameOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return `data: ${JSON.stringify(event)}\n\n`
  const known = written.get(event) ?? `data: ${JSON.stringify(event)}\n\n`
  written.set(event, known)
  return known
}

async function* frames(events: AsyncIterable<unknown>, admission: StreamAdmission): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  for await (const event of events) {
    if (!admission.holds()) return
    yield frameOf(event)
  }
}
