import type { ModelClient } from '../../clients/model-client.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createEndpointLimiter, type EndpointLimiter, type Waiter } from './endpoint-limiter.ts'
import { createEndpointWaits, type EndpointWaits } from './endpoint-waits.ts'
import type { EndpointLimits, SchedulerPorts } from './ports.ts'

/** Who calls an endpoint, how long it waits where the endpoint takes no calls, and how to find out whether it answers again. */
export interface EndpointUser extends Waiter {
  readonly limits: EndpointLimits
  /** Its probe ends an outage; null where nothing can be down, such as a baseline. */
  readonly client: Pick<ModelClient, 'probe'> | null
  /** The endpoint went down, or answers again. */
  onChange?(): void
}

/** One limiter and one circuit breaker for each endpoint, shared by everything that calls it: runs, judges. */
export interface Limiters {
  /** What runs and other work wait for at judges and scorers. */
  readonly waits: EndpointWaits
  /** @returns `leave`, to be called when the endpoint is no longer used: the last one to leave forgets what was learned of it */
  join(name: string, user: EndpointUser): { readonly limiter: EndpointLimiter; leave(): void }
  /** From here on outages stay stored: the next start probes before it calls. */
  beginClose(): void
  close(): void
}

export type LimiterPorts = Pick<SchedulerPorts, 'monotonic' | 'now' | 'random' | 'sleep' | 'outages'>

export function createLimiters({ monotonic, now, random, sleep, outages }: LimiterPorts): Limiters {
  const limiters = new Map<string, EndpointLimiter>()
  const users = new Map<string, Set<EndpointUser>>()
  const closed = new AbortController()
  let isClosing = false
  const wakeLater = (ms: number, wake: () => void) => {
    void sleep(ms, closed.signal).then(() => {
      if (!closed.signal.aborted) wake()
    })
  }
  const create = (name: string, limits: EndpointLimits): EndpointLimiter => {
    let saved = outages.find(name)
    const circuit = createCircuitBreaker({
      opens: limits.onThrottle !== 'fail_fast',
      outage: saved,
      now,
      random,
      later: wakeLater,
      onChange: () => {
        const outage = circuit.view()
        if (outage?.since !== saved?.since || outage?.message !== saved?.message) outages.save(name, outage)
        saved = outage
        if (!outage) limiter.pump()
        for (const user of users.get(name) ?? []) user.onChange?.()
      },
    })
    const limiter = createEndpointLimiter(limits, monotonic, wakeLater, circuit, random)
    return limiter
  }
  return {
    waits: createEndpointWaits(),
    join: (name, user) => {
      const limiter = limiters.get(name) ?? create(name, user.limits)
      limiters.set(name, limiter)
      const present = users.get(name) ?? new Set()
      users.set(name, present.add(user))
      const leave = [limiter.join(user), limiter.circuit.join(async signal => (user.client ? user.client.probe({ signal }) : null))]
      return {
        limiter,
        leave: () => {
          for (const end of leave) end()
          present.delete(user)
          if (limiter.view().users > 0) return
          limiters.delete(name)
          users.delete(name)
          // Of no use to a later user: it finds out by itself.
          if (!isClosing && limiter.circuit.isOpen()) outages.save(name, null)
        },
      }
    },
    beginClose: () => {
      isClosing = true
    },
    close: () => closed.abort(),
  }
}
