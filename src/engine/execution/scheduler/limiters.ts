import { createEndpointLimiter, type EndpointLimiter } from './endpoint-limiter.ts'
import type { EndpointLimits } from './ports.ts'

/** One limiter for each endpoint, shared by everything that calls it: runs, judges. */
export interface Limiters {
  /** @returns `leave`, to be called when the endpoint is no longer used: the last one to leave forgets what was learned of it */
  join(name: string, limits: EndpointLimits): { readonly limiter: EndpointLimiter; leave(): void }
  close(): void
}

export interface LimiterClock {
  readonly monotonic: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export function createLimiters({ monotonic, sleep }: LimiterClock): Limiters {
  const limiters = new Map<string, EndpointLimiter>()
  const closed = new AbortController()
  const wakeLater = (ms: number, wake: () => void) => {
    void sleep(ms, closed.signal).then(() => {
      if (!closed.signal.aborted) wake()
    })
  }
  return {
    join: (name, limits) => {
      const limiter = limiters.get(name) ?? createEndpointLimiter(limits, monotonic, wakeLater)
      limiters.set(name, limiter)
      const leave = limiter.join()
      return {
        limiter,
        leave: () => {
          leave()
          if (limiter.view().users === 0) limiters.delete(name)
        },
      }
    },
    close: () => closed.abort(),
  }
}
