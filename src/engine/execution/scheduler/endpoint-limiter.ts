import type { AnnouncedRate } from '../../clients/model-client.ts'
import { createAdaptiveLimit, createFixedLimit } from './adaptive-limit.ts'
import type { CircuitBreaker, OutageView } from './circuit-breaker.ts'
import { createFailureBurst } from './failure-burst.ts'
import type { EndpointLimits } from './ports.ts'
import { createRateBudget } from './rate-budget.ts'
import { createThrottlePause, type Permit, type Refusal, type ThrottleView } from './throttle-pause.ts'

/** How a call ended, as far as the endpoint's capacity is concerned. */
export interface CallEnd {
  /**
   * `refused`: it takes no calls now; `broken`: the server failed; `broken_off`: it failed within a reply that it had begun; `failure`:
   * another reply; `unanswered`: none.
   */
  readonly verdict: 'success' | 'refused' | 'broken' | 'broken_off' | 'failure' | 'unanswered'
  readonly latencyMs: number
  /** Null for a success. */
  readonly fault: Refusal | null
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
  /** Milliseconds for which the endpoint is still left alone because it took no calls; 0 when it is not. */
  readonly pauseMs: number
  /** Null while it takes calls. */
  readonly throttle: ThrottleView | null
  /** Milliseconds until its counts of requests or tokens let the next call start; 0 when they do now. */
  readonly rateWaitMs: number
  /** Null while the endpoint answers. */
  readonly outage: OutageView | null
}

/** Who waits when the endpoint takes no calls. */
export interface Waiter {
  /** Milliseconds without a single answer for which it waits. */
  readonly patienceMs: number
  /** It has waited that long, or the endpoint asks for a longer pause. */
  gaveUp(refusal: Refusal): void
}

/** Calls to one endpoint, shared by all runs that use it: how many at a time, how many a minute, and when not at all. */
export interface EndpointLimiter {
  /**
   * Resolves when a call may start; null when aborted. Callers are served in turn, whichever run they are of.
   * @param tokens estimate of prompt and answer together
   * @param of what the call is made for, the same object for each attempt
   */
  acquire(signal: AbortSignal, tokens: number, of: object): Promise<Permit | null>
  /** Whether the endpoint takes no calls now: then the failure is not an attempt, and the next `acquire` waits until it does. */
  release(permit: Permit, end: CallEnd): boolean
  readonly circuit: CircuitBreaker
  /** A run begins to use the endpoint; the answer is called when it ends. */
  join(waiter?: Waiter): () => void
  /** Whether the endpoint itself causes the wait: it is down or takes no calls. */
  isHeld(): boolean
  /** Milliseconds until a waiter gives up; null while the endpoint takes calls. */
  givesUpInMs(waiter: Waiter): number | null
  /** Looks again whether calls may start, after something else than a call has changed. */
  pump(): void
  /** Ends the wait of the moment on a person's request. */
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
  readonly of: object
  start(permit: Permit): void
}

/**
 * Milliseconds without an answer after which failures within replies count against their samples: a server that takes every call and breaks
 * off each answer fails at what it is asked, while an overload of its upstream is over by then.
 */
const mostBrokenOffMs = 45_000

const endless: Waiter = { patienceMs: Number.POSITIVE_INFINITY, gaveUp: () => undefined }

/**
 * @param now milliseconds that only grow, so that a clock that is set does not end or lengthen a pause
 * @param later calls back after so many of them
 * @param circuit open while the endpoint does not answer
 * @param random in [0, 1)
 */
export function createEndpointLimiter(
  limits: EndpointLimits,
  now: () => number,
  later: (ms: number, wake: () => void) => void,
  circuit: CircuitBreaker,
  random: () => number = () => 0,
): EndpointLimiter {
  const failFast = limits.onThrottle === 'fail_fast'
  const concurrency = failFast || limits.isFixed ? createFixedLimit(limits.maxConcurrency) : createAdaptiveLimit(limits.maxConcurrency, now)
  const rate = createRateBudget(limits, now)
  const pause = createThrottlePause(now, random)
  const burst = createFailureBurst()
  const queue: Waiting[] = []
  /** Since when each uses the endpoint. */
  const users = new Map<symbol, { readonly waiter: Waiter; readonly since: number }>()
  let active = 0
  let throttled = 0
  /** Since when replies break off; null while one was answered since. */
  let brokenOffSince: number | null = null
  let wakeAt = Number.POSITIVE_INFINITY
  let skip = new AbortController()

  const isPaused = () => circuit.isOpen() || pause.leftMs() > 0
  const room = () => (circuit.isOpen() ? 0 : Math.max(0, Math.min(concurrency.current() - active, rate.room(), pause.room())))
  const begin = (tokens: number, of: object): Permit => {
    const permit = { tokens, of, round: pause.round() }
    active++
    rate.started(tokens)
    pause.began(permit)
    return permit
  }
  const pump = () => {
    for (let next = queue[0]; next && room() > 0; next = queue[0]) {
      queue.shift()
      next.start(begin(next.tokens, next.of))
    }
    wakeLater()
  }
  /** Where only time will make room, it is looked again when it has. */
  const wakeLater = () => {
    if (queue.length === 0) return
    const wait = Math.max(pause.leftMs(), rate.msUntilRoom())
    if (wait <= 0 || !Number.isFinite(wait) || now() + wait >= wakeAt) return
    wakeAt = now() + wait
    later(wait, () => {
      wakeAt = Number.POSITIVE_INFINITY
      pump()
    })
  }
  const givesUpAt = ({ waiter, since }: { readonly waiter: Waiter; readonly since: number }) =>
    Math.max(since, pause.since() ?? since) + waiter.patienceMs
  /** Whose time is over gives up; for the others the endpoint is tried once more at its end. */
  const refuse = (permit: Permit, refusal: Refusal) => {
    throttled++
    if (failFast) return false
    if (pause.refused(permit, refusal)) concurrency.throttled()
    for (const user of users.values()) {
      const isTooLong = (refusal.retryAfterMs ?? 0) > user.waiter.patienceMs
      if (isTooLong || givesUpAt(user) <= now()) user.waiter.gaveUp(refusal)
      else pause.endBy(givesUpAt(user))
    }
    return true
  }
  const breakOff = (permit: Permit, refusal: Refusal) => {
    brokenOffSince ??= now()
    const excusedUntil = brokenOffSince + mostBrokenOffMs
    if (now() >= excusedUntil) {
      pause.answered(permit)
      return false
    }
    refuse(permit, refusal)
    pause.endBy(excusedUntil)
    return true
  }
  const judge = (permit: Permit, { verdict, latencyMs, fault }: CallEnd, inUse: boolean): boolean => {
    if (fault && verdict === 'refused') return refuse(permit, fault)
    if (fault && (verdict === 'broken' || verdict === 'broken_off') && !failFast) {
      const isBurst = burst.failed(permit.of)
      if (!isBurst && !pause.isOn()) return false
      return verdict === 'broken' ? refuse(permit, fault) : breakOff(permit, fault)
    }
    if (verdict === 'unanswered') return false
    burst.succeeded(permit.of)
    const wasOn = pause.isOn()
    pause.answered(permit)
    if (wasOn && !pause.isOn()) burst.forget()
    if (verdict === 'success') {
      brokenOffSince = null
      concurrency.succeeded(latencyMs, inUse)
    }
    return false
  }

  return {
    acquire: (signal, tokens, of) => {
      if (signal.aborted) return Promise.resolve(null)
      if (queue.length === 0 && room() > 0) return Promise.resolve(begin(tokens, of))
      return new Promise(resolve => {
        const abort = () => {
          queue.splice(queue.indexOf(entry), 1)
          resolve(null)
        }
        const entry: Waiting = {
          tokens,
          of,
          start: permit => {
            signal.removeEventListener('abort', abort)
            resolve(permit)
          },
        }
        signal.addEventListener('abort', abort, { once: true })
        queue.push(entry)
        wakeLater()
      })
    },
    release: (permit, end) => {
      const inUse = 2 * active >= concurrency.current()
      active--
      rate.ended(permit.tokens, end.usedTokens)
      if (end.announced && !failFast) rate.announced(end.announced)
      pause.ended(permit)
      const isRefused = judge(permit, end, inUse)
      pump()
      return isRefused
    },
    circuit,
    pump,
    skipPause: () => {
      pause.skip()
      rate.forgetAnnounced()
      const before = skip
      skip = new AbortController()
      before.abort('A person skipped the wait.')
      pump()
    },
    skipped: () => skip.signal,
    join: (waiter = endless) => {
      const user = Symbol()
      users.set(user, { waiter, since: now() })
      return () => users.delete(user)
    },
    isHeld: () => circuit.isOpen() || pause.isOn(),
    givesUpInMs: waiter => {
      const user = [...users.values()].find(each => each.waiter === waiter)
      return !user || pause.since() === null ? null : Math.max(0, givesUpAt(user) - now())
    },
    allowance: own => {
      if (isPaused()) return 0
      // One more than its share waits in turn: a free place then goes to the longest waiter, not to the first claimer.
      const share = users.size > 1 ? Math.ceil(concurrency.current() / users.size) + 1 - own : 0
      return Math.max(0, Math.min(room() - queue.length, concurrency.current() - own), share)
    },
    view: () => ({
      limit: concurrency.current(),
      most: limits.maxConcurrency,
      active,
      waiting: queue.length,
      throttled,
      slowed: concurrency.slowed(),
      users: users.size,
      pauseMs: pause.leftMs(),
      throttle: pause.view(),
      rateWaitMs: rate.msUntilRoom(),
      outage: circuit.view(),
    }),
  }
}
