import { mostRetryAfterMs } from '../../../contract/index.ts'
import type { AnnouncedRate } from '../../clients/model-client.ts'
import { createAdaptiveLimit, createFixedLimit } from './adaptive-limit.ts'
import type { CircuitBreaker, OutageView } from './circuit-breaker.ts'
import type { EndpointLimits } from './ports.ts'
import { createRateBudget } from './rate-budget.ts'

/** How a call ended, as far as the endpoint's capacity is concerned. */
export interface CallEnd {
  readonly verdict: 'success' | 'throttled' | 'failure'
  readonly latencyMs: number
  readonly retryAfterMs: number | null
  readonly announced: AnnouncedRate | null
  /** Prompt and answer together; null where the provider did not count. */
  readonly usedTokens: number | null
}

export interface LimiterView {
  /** Adaptive concurrency limit at the moment. */
  readonly limit: number
  /** As the connection allows. */
  readonly most: number
  readonly active: number
  readonly waiting: number
  readonly throttled: number
  /** How often the limit was lowered because answers took longer. */
  readonly slowed: number
  /** Runs that use it. */
  readonly users: number
  /** Milliseconds for which the endpoint is still left alone because it asked for that; 0 when it is not. */
  readonly pauseMs: number
  /** Milliseconds until its counts of requests or tokens let the next call start; 0 when they do now. */
  readonly rateWaitMs: number
  /** Null while the endpoint answers. */
  readonly outage: OutageView | null
}

/** Calls to one endpoint, shared by all runs that use it: how many at a time, how many a minute, and when not at all. */
export interface EndpointLimiter {
  /**
   * Resolves when a call may start; false when aborted. Callers are served in turn, whichever run they are of.
   * @param tokens estimate of prompt and answer together
   */
  acquire(signal: AbortSignal, tokens: number): Promise<boolean>
  /** @param tokens as given to `acquire` */
  release(end: CallEnd, tokens: number): void
  readonly circuit: CircuitBreaker
  /** A run begins to use the endpoint; the answer is called when it ends. */
  join(): () => void
  /** Looks again whether calls may start, after something else than a call has changed. */
  pump(): void
  /** Ends a Retry-After wait on a person's request. */
  skipPause(): void
  /** Fires when a person skips the waits of the moment. */
  skipped(): AbortSignal
  /**
   * How many more samples a run that asks `own` ones may claim: what is free, or what its equal share of the limit lacks.
   * The latter wait in turn, so that a later run is not starved by an earlier one.
   */
  allowance(own: number): number
  view(): LimiterView
}

interface Waiting {
  readonly tokens: number
  start(ok: boolean): void
}

/**
 * @param now milliseconds that only grow, so that a clock that is set does not end or lengthen a pause
 * @param later calls back after so many of them
 * @param circuit open while the endpoint does not answer
 */
export function createEndpointLimiter(
  limits: EndpointLimits,
  now: () => number,
  later: (ms: number, wake: () => void) => void,
  circuit: CircuitBreaker,
): EndpointLimiter {
  const failFast = limits.onThrottle === 'fail_fast'
  const concurrency = failFast ? createFixedLimit(limits.maxConcurrency) : createAdaptiveLimit(limits.maxConcurrency, now)
  const rate = createRateBudget(limits, now)
  const queue: Waiting[] = []
  let users = 0
  let active = 0
  let throttled = 0
  let pausedUntil = 0
  let wakeAt = Number.POSITIVE_INFINITY
  let skip = new AbortController()

  const isHeld = () => circuit.isOpen() || now() < pausedUntil
  const room = () => (isHeld() ? 0 : Math.max(0, Math.min(concurrency.current() - active, rate.room())))
  const begin = (tokens: number) => {
    active++
    rate.started(tokens)
  }
  const pump = () => {
    for (let next = queue[0]; next && room() > 0; next = queue[0]) {
      queue.shift()
      begin(next.tokens)
      next.start(true)
    }
    wakeLater()
  }
  /** Where only time will make room, it is looked again when it has. */
  const wakeLater = () => {
    if (queue.length === 0) return
    const wait = Math.max(pausedUntil - now(), rate.msUntilRoom())
    if (wait <= 0 || !Number.isFinite(wait) || now() + wait >= wakeAt) return
    wakeAt = now() + wait
    later(wait, () => {
      wakeAt = Number.POSITIVE_INFINITY
      pump()
    })
  }

  return {
    acquire: (signal, tokens) => {
      if (signal.aborted) return Promise.resolve(false)
      if (queue.length === 0 && room() > 0) {
        begin(tokens)
        return Promise.resolve(true)
      }
      return new Promise(resolve => {
        const abort = () => {
          queue.splice(queue.indexOf(entry), 1)
          resolve(false)
        }
        const entry: Waiting = {
          tokens,
          start: ok => {
            signal.removeEventListener('abort', abort)
            resolve(ok)
          },
        }
        signal.addEventListener('abort', abort, { once: true })
        queue.push(entry)
        wakeLater()
      })
    },
    release: ({ verdict, latencyMs, retryAfterMs, announced, usedTokens }, tokens) => {
      const inUse = 2 * active >= concurrency.current()
      active--
      rate.ended(tokens, usedTokens)
      if (announced && !failFast) rate.announced(announced)
      if (verdict === 'success') concurrency.succeeded(latencyMs, inUse)
      if (verdict === 'throttled') {
        throttled++
        concurrency.throttled()
        if (retryAfterMs !== null && !failFast) pausedUntil = Math.max(pausedUntil, now() + Math.min(retryAfterMs, mostRetryAfterMs))
      }
      pump()
    },
    circuit,
    pump,
    skipPause: () => {
      pausedUntil = 0
      rate.forgetAnnounced()
      const before = skip
      skip = new AbortController()
      before.abort('A person skipped the wait.')
      pump()
    },
    skipped: () => skip.signal,
    join: () => {
      users++
      return () => users--
    },
    allowance: own => {
      if (isHeld()) return 0
      // One more than its share waits in turn: a free place then goes to the longest waiter, not to the first claimer.
      const share = users > 1 ? Math.ceil(concurrency.current() / users) + 1 - own : 0
      return Math.max(0, Math.min(room() - queue.length, concurrency.current() - own), share)
    },
    view: () => ({
      limit: concurrency.current(),
      most: limits.maxConcurrency,
      active,
      waiting: queue.length,
      throttled,
      slowed: concurrency.slowed(),
      users,
      pauseMs: Math.max(0, pausedUntil - now()),
      rateWaitMs: rate.msUntilRoom(),
      outage: circuit.view(),
    }),
  }
}
