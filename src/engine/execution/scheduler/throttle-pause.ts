import { mostRetryAfterMs } from '../../../contract/runs/failure-codes.ts'
import type { Failure } from '../../clients/model-client.ts'

/** What an endpoint said when it took no call. */
export type Refusal = Pick<Failure, 'code' | 'message' | 'retryAfterMs'>

/** An endpoint that takes no calls for now. */
export interface ThrottleView {
  /** Milliseconds since its first refusal after its last answer. */
  readonly sinceMs: number
  /** Its last. */
  readonly refusal: Refusal
}

/** A call that was let through. */
export interface Permit {
  /** Estimate of prompt and answer together. */
  readonly tokens: number
  /** What the call is made for, the same object for each attempt. */
  readonly of: object
  /** Refusals that were known when it began. */
  readonly round: number
}

/** Waits for an endpoint that takes no calls, with pauses that grow. After each, one call tries; its answer lets the others follow. */
export interface ThrottlePause {
  isOn(): boolean
  /** Calls that may start. */
  room(): number
  /** Milliseconds left of the pause. */
  leftMs(): number
  round(): number
  began(call: Permit): void
  ended(call: Permit): void
  /** Something answered. What began before the last refusal says nothing new. */
  answered(call: Permit): void
  /** False where it is the same complaint as the last: of a call that was in flight with its. */
  refused(call: Permit, refusal: Refusal): boolean
  /** The pause ends no later than that. @param at on the clock of `now` */
  endBy(at: number): void
  /** On the clock of `now`; null while calls are taken. */
  since(): number | null
  /** Ends the pause of the moment. */
  skip(): void
  view(): ThrottleView | null
}

const firstPauseMs = 500
const longestPauseMs = 60_000

/** @param now milliseconds that only grow @param random in [0, 1) */
export function createThrottlePause(now: () => number, random: () => number): ThrottlePause {
  let since: number | null = null
  let last: Refusal | null = null
  let refusals = 0
  let round = 0
  let until = 0
  let trial: Permit | null = null
  /** How long it last took: a window of a minute is not tried twice a second the next time either, unless the endpoint states its pause. */
  let lastStretchMs = 0

  const grownPause = (stated: number | null) => {
    const first = stated === null ? Math.max(firstPauseMs, Math.min(longestPauseMs, lastStretchMs) / 2) : firstPauseMs
    return Math.min(longestPauseMs, first * 2 ** (refusals - 1)) * (1 + random() / 4)
  }
  /** Up to a quarter of a second more than asked for, so that those who wait together do not come back together. */
  const statedPause = (ms: number | null) => (ms === null || ms === 0 ? null : Math.min(mostRetryAfterMs, ms) + random() * 250)

  return {
    isOn: () => since !== null,
    room: () => (now() < until ? 0 : since === null ? Number.POSITIVE_INFINITY : trial === null ? 1 : 0),
    leftMs: () => Math.max(0, until - now()),
    round: () => round,
    began: call => {
      if (since !== null) trial ??= call
    },
    ended: call => {
      if (trial === call) trial = null
    },
    answered: call => {
      if (since === null || call.round < round) return
      lastStretchMs = now() - since
      since = null
      refusals = 0
      until = 0
    },
    refused: (call, refusal) => {
      const stated = statedPause(refusal.retryAfterMs)
      if (call.round < round) {
        if (since !== null && stated !== null) until = Math.max(until, now() + stated)
        return false
      }
      since ??= now()
      last = refusal
      refusals++
      round++
      // A pause that the endpoint states is right until it turns out to be too short.
      const pause = refusals === 1 && stated !== null ? stated : Math.max(stated ?? 0, grownPause(stated))
      until = now() + pause
      return true
    },
    endBy: at => {
      until = Math.min(until, at)
    },
    since: () => since,
    skip: () => {
      until = 0
    },
    view: () => (since === null || last === null ? null : { sinceMs: now() - since, refusal: last }),
  }
}
