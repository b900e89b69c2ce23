import type { Readable } from 'node:stream'

/** A body of at most a few MiB from this very machine has this many milliseconds to arrive. */
const timeoutMs = 30_000

/** Gives up on a body that trickles in, so that slow senders cannot hold connections. */
export function cutTrickle(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), timeoutMs)
  const arrived = () => clearTimeout(timer)
  body.once('end', arrived).once('close', arrived)
}

/**
 * Drops what is left of a body that was answered before its end, so that its connection serves the next request; the connection ends where
 * that is more than `mostBytes`, or takes too long.
 */
export function dropRest(body: Readable, mostBytes: number): void {
  if (body.readableEnded || body.destroyed) return
  let left = mostBytes
  cutTrickle(body)
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) body.destroy()
  })
  body.unpipe().resume()
}
