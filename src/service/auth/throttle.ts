import { ApiError } from '../../contract/errors.ts'
import type { Principal } from './principal.ts'

/** A bucket of tokens: `burst` at once, refilled at `perSecond`. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/**
 * What one key may ask: far beyond any agent at work, so that only a loop gone wild is slowed. The first ten thousand requests of
 * a script that checks the whole interface pass at any speed.
 */
export const usualKeyRate: Rate = { burst: 20_000, perSecond: 500 }

/** Wrong tokens are counted together: on the loopback address there is no telling their senders apart. */
const wrongTokenRate: Rate = { burst: 20, perSecond: 20 }

/** Slows those who ask too much or guess. A key that is right is let in however many wrong ones are tried beside it. */
export interface Throttle {
  /** @throws ApiError rate_limited when the key asks faster than it may. Sessions are people's and are not counted. */
  admit(principal: Principal): void
  /** @throws ApiError rate_limited when too many wrong tokens were shown recently. */
  noteWrongToken(): void
}

export function createThrottle(now: () => number, keyRate: Rate): Throttle {
  const keys = new Map<string, Bucket>()
  const wrongTokens = createBucket(wrongTokenRate, now)
  return {
    admit: principal => {
      if (principal.kind !== 'api_key') return
      let bucket = keys.get(principal.id)
      if (!bucket) {
        // Keys are few; those that have not asked for long are full again and need not be kept.
        if (keys.size > 1000) for (const [id, other] of keys) if (other.isFull()) keys.delete(id)
        bucket = createBucket(keyRate, now)
        keys.set(principal.id, bucket)
      }
      const wait = bucket.take()
      if (wait > 0)
        throw tooMany(
          wait,
          `The key "${principal.name}" exceeded ${keyRate.perSecond} requests a second. Wait ${wait} s, then send fewer requests.`,
        )
    },
    noteWrongToken: () => {
      const wait = wrongTokens.take()
      if (wait > 0) throw tooMany(wait, `Too many wrong tokens were sent. Check the key, and try again in ${wait} s.`)
    },
  }
}

function tooMany(seconds: number, message: string): ApiError {
  return new ApiError('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}

export interface Bucket {
  /** 0 when there was a token to take, otherwise whole seconds until there is one. */
  take(): number
  isFull(): boolean
}

export function createBucket({ burst, perSecond }: Rate, now: () => number): Bucket {
  let tokens = burst
  let at = now()
  const refill = () => {
    const time = now()
    // A clock that is set back gives nothing and takes nothing.
    tokens = Math.min(burst, tokens + (Math.max(0, time - at) / 1000) * perSecond)
    at = time
  }
  return {
    take: () => {
      refill()
      if (tokens < 1) return Math.max(1, Math.ceil((1 - tokens) / perSecond))
      tokens--
      return 0
    },
    isFull: () => {
      refill()
      return tokens >= burst
    },
  }
}
