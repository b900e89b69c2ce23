import type { Readable } from 'node:stream'

/** A body of at most a few MiB from this very machine has this many milliseconds to arrive. */
const timeoutMs = 30_000

/** Gives up on a body that trickles in, so that slow senders cannot hold connections. */
export function cutTrickle(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), timeoutMs)
  const arrived = () => clearTimeout(timer)
  body.once('end', arrived).once('close', arrived)
}
