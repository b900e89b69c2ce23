import type { EndpointLimits } from './ports.ts'

/** How a call went, as far as the endpoint's capacity is concerned. */
export type Verdict = 'success' | 'throttled' | 'failure'

export interface LimiterView {
  readonly limit: number
  readonly active: number
  readonly waiting: number
  readonly throttled: number
  /** Runs that use it. */
  readonly users: number
  /** Milliseconds since 1970 until which the endpoint is left alone; 0 when it is not. */
  readonly pausedUntil: number
}

/**
 * Calls at a time to one endpoint, shared by all runs that use it. Additive increase, multiplicative decrease: it doubles until
 * the endpoint first complains, then grows by one per full round of successes, and halves at each complaint.
 */
export interface EndpointLimiter {
  /** Resolves when a call may start; false when aborted. Callers are served in turn, whichever run they are of. */
  acquire(signal: AbortSignal): Promise<boolean>
  release(verdict: Verdict, retryAfterMs?: number | null): void
  /** A run begins to use the endpoint; the answer is called when it ends. */
  join(): () => void
  /**
   * How many more samples a run that has `active` ones may claim: what is free, or what its equal share of the limit lacks.
   * The latter wait in turn, so that a later run is not starved by an earlier one.
   */
  allowance(active: number): number
  view(): LimiterView
}

export function createEndpointLimiter(
  limits: EndpointLimits,
  now: () => number,
  later: (ms: number, wake: () => void) => void,
): EndpointLimiter {
  const max = limits.maxConcurrency
  const waiting: { start: (ok: boolean) => void }[] = []
  let users = 0
  let limit = Math.min(max, 8)
  let slowStart = true
  let active = 0
  let successes = 0
  let throttled = 0
  let pausedUntil = 0
  let lastDecrease = 0
  let wakeSet = false
  const minute = limits.requestsPerMinute
  let tokens = minute === null ? Number.POSITIVE_INFINITY : Math.max(1, minute / 60)
  let refilledAt = now()

  const refill = () => {
    if (minute === null) return
    const elapsed = now() - refilledAt
    refilledAt += elapsed
    tokens = Math.min(Math.max(1, minute / 60), tokens + (elapsed * minute) / 60_000)
  }
  const room = () => {
    if (now() < pausedUntil) return 0
    refill()
    return Math.max(0, Math.min(Math.floor(limit) - active, Math.floor(tokens)))
  }
  const wakeLater = () => {
    if (wakeSet || waiting.length === 0) return
    const pause = Math.max(pausedUntil - now(), tokens < 1 && minute !== null ? ((1 - tokens) * 60_000) / minute : 0)
    if (pause <= 0) return
    wakeSet = true
    later(pause, () => {
      wakeSet = false
      pump()
    })
  }
  const pump = () => {
    while (waiting.length > 0 && room() > 0) {
      active++
      tokens--
      waiting.shift()?.start(true)
    }
    wakeLater()
  }
  const grow = () => {
    if (slowStart) limit = Math.min(max, limit + 1)
    else if (++successes >= limit) {
      successes = 0
      limit = Math.min(max, limit + 1)
    }
  }
  const shrink = () => {
    throttled++
    slowStart = false
    successes = 0
    // One complaint per second counts: those that were in flight together say the same thing.
    if (now() - lastDecrease < 1000) return
    lastDecrease = now()
    limit = Math.max(1, Math.floor(limit / 2))
  }

  return {
    acquire: signal => {
      if (signal.aborted) return Promise.resolve(false)
      return new Promise(resolve => {
        const entry = {
          start: (ok: boolean) => {
            signal.removeEventListener('abort', abort)
            resolve(ok)
          },
        }
        const abort = () => {
          const at = waiting.indexOf(entry)
          if (at >= 0) waiting.splice(at, 1)
          entry.start(false)
        }
        signal.addEventListener('abort', abort)
        waiting.push(entry)
        pump()
      })
    },
    release: (verdict, retryAfterMs = null) => {
      active--
      if (verdict === 'success') grow()
      if (verdict === 'throttled') {
        shrink()
        if (retryAfterMs !== null) pausedUntil = Math.max(pausedUntil, now() + retryAfterMs)
      }
      pump()
    },
    join: () => {
      users++
      return () => users--
    },
    allowance: own => {
      if (now() < pausedUntil) return 0
      const share = users > 1 ? Math.ceil(Math.floor(limit) / users) - own : 0
      return Math.max(0, room() - waiting.length, share)
    },
    view: () => ({
      limit: Math.floor(limit),
      active,
      waiting: waiting.length,
      throttled,
      users,
      pausedUntil: pausedUntil > now() ? pausedUntil : 0,
    }),
  }
}
