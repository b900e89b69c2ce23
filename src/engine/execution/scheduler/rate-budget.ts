import { mostRetryAfterMs } from '../../../contract/runs/failure-codes.ts'
import type { AnnouncedRate } from '../../clients/model-client.ts'
import { type Bucket, createBucket } from './bucket.ts'
import type { EndpointLimits } from './ports.ts'

/** How many calls an endpoint's counts of requests and tokens leave: the connection's own, and what its replies announce. */
export interface RateBudget {
  /** Calls that may start now. */
  room(): number
  /** Milliseconds until one may start; 0 when one may now. */
  msUntilRoom(): number
  /** @param tokens estimate of prompt and answer together */
  started(tokens: number): void
  /** @param used as the provider counted; null if it did not; the estimate is kept */
  ended(estimated: number, used: number | null): void
  /** What a reply said is left. Calls that are still in flight may not be in its count, so they are taken off. */
  announced(rate: AnnouncedRate): void
  /** Forgets what replies announced; the connection's own counts stay. */
  forgetAnnounced(): void
}

type Kind = 'requests' | 'tokens'

/** The connection's own count always holds; what a reply announced holds until its window is over. */
interface Count {
  readonly bucket: Bucket
  readonly until: number
}

/** @param now milliseconds that only grow */
export function createRateBudget(limits: Pick<EndpointLimits, 'requestsPerMinute' | 'tokensPerMinute'>, now: () => number): RateBudget {
  const counts: Record<Kind, Count[]> = {
    requests: perMinute(limits.requestsPerMinute, now),
    tokens: perMinute(limits.tokensPerMinute, now),
  }
  const inFlight = { requests: 0, tokens: 0 }

  /** The last announced rate. */
  const present = (kind: Kind): readonly Count[] => {
    const last = counts[kind].at(-1)
    if (last && now() >= last.until) counts[kind].pop()
    return counts[kind]
  }
  const take = (kind: Kind, amount: number) => {
    for (const { bucket } of present(kind)) bucket.take(amount)
  }
  const msUntil = (kind: Kind, wanted: number): number => {
    let wait = 0
    for (const { bucket, until } of present(kind)) wait = Math.max(wait, Math.min(bucket.msUntil(wanted), until - now()))
    return wait
  }

  return {
    room: () => {
      // A call larger than a second's worth would never start, so any tokens left let one start; the debt is waited off afterwards.
      for (const { bucket } of present('tokens')) if (bucket.level() <= 0) return 0
      let room = Number.POSITIVE_INFINITY
      for (const { bucket } of present('requests')) room = Math.min(room, bucket.level())
      return Math.max(0, Math.floor(room))
    },
    msUntilRoom: () => Math.max(msUntil('requests', 1), msUntil('tokens', Number.MIN_VALUE)),
    started: tokens => {
      take('requests', 1)
      take('tokens', tokens)
      inFlight.requests++
      inFlight.tokens += tokens
    },
    ended: (estimated, used) => {
      inFlight.requests--
      inFlight.tokens -= estimated
      if (used !== null) take('tokens', used - estimated)
    },
    forgetAnnounced: () => {
      for (const kind of ['requests', 'tokens'] as const)
        counts[kind] = counts[kind].filter(count => count.until === Number.POSITIVE_INFINITY)
    },
    announced: rate => {
      for (const kind of ['requests', 'tokens'] as const) {
        const said = rate[kind]
        // A window of hours is not waited for: whether it is closed, the next call shows.
        if (!said || said.resetMs > mostRetryAfterMs) continue
        const { limit, remaining, resetMs } = said
        const perMs = said.refill === 'steady' && limit !== null && resetMs > 0 ? Math.max(0, limit - remaining) / resetMs : 0
        const level = remaining - inFlight[kind]
        const bucket = createBucket({ level, capacity: limit ?? Math.max(level, 0), perMs }, now)
        counts[kind] = [...counts[kind].filter(count => count.until === Number.POSITIVE_INFINITY), { bucket, until: now() + resetMs }]
      }
    },
  }
}

/** Spread over the minute: a second's worth at once. */
function perMinute(amount: number | null, now: () => number): Count[] {
  if (amount === null) return []
  const capacity = Math.max(1, amount / 60)
  return [{ bucket: createBucket({ level: capacity, capacity, perMs: amount / 60_000 }, now), until: Number.POSITIVE_INFINITY }]
}
