import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type CallEnd, createEndpointLimiter, type EndpointLimiter } from '../../../../src/engine/execution/scheduler/endpoint-limiter.ts'
import type { Permit, Refusal } from '../../../../src/engine/execution/scheduler/throttle-pause.ts'
import type { EndpointLimits } from '../../../../src/engine/execution/scheduler/ports.ts'
import { closedCircuit } from './fixtures.ts'

const success: CallEnd = { verdict: 'success', latencyMs: 10, fault: null, announced: null, usedTokens: null }
const refusal: Refusal = { code: 'rate_limited', message: 'Not now.', retryAfterMs: null }
const throttled: CallEnd = { ...success, verdict: 'refused', fault: refusal }
const askedFor = (retryAfterMs: number): CallEnd => ({ ...throttled, fault: { ...refusal, retryAfterMs } })
const failure: CallEnd = { ...success, verdict: 'failure' }
const never = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

interface Places extends Omit<EndpointLimiter, 'acquire' | 'release'> {
  acquire(signal: AbortSignal, tokens: number, of?: object): Promise<boolean>
  /** Of the call that began first. */
  release(end: CallEnd): boolean
}

function limiterWith(limits: Partial<EndpointLimits> = {}): Places {
  const all: EndpointLimits = { maxConcurrency: 64, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt', ...limits }
  const limiter = createEndpointLimiter(
    all,
    () => performance.now(),
    (ms, wake) => setTimeout(wake, ms),
    closedCircuit(),
  )
  const held: Permit[] = []
  return {
    ...limiter,
    acquire: async (signal, tokens, of = {}) => {
      const permit = await limiter.acquire(signal, tokens, of)
      if (permit) held.push(permit)
      return permit !== null
    },
    release: end => {
      const permit = held.shift()
      if (!permit) throw new Error('No call is in flight.')
      return limiter.release(permit, end)
    },
  }
}

/** Asks for a place; answers whether it has it by now. */
function ask(limiter: Places, signal = never, tokens = 0) {
  let state: boolean | null = null
  const settled = limiter.acquire(signal, tokens).then(ok => {
    state = ok
  })
  return { state: () => state, settled }
}

async function fillUp(limiter: Places, calls: number) {
  for (let i = 0; i < calls; i++) expect(await limiter.acquire(never, 0)).toBe(true)
}

describe('places', () => {
  test('are granted up to the limit, then to waiters as slots free up', async () => {
    const limiter = limiterWith()
    await fillUp(limiter, 8)
    const ninth = ask(limiter)
    await vi.advanceTimersByTimeAsync(1000)
    expect(ninth.state()).toBeNull()
    expect(limiter.view()).toMatchObject({ limit: 8, most: 64, active: 8, waiting: 1 })
    limiter.release(failure)
    await ninth.settled
    expect(ninth.state()).toBe(true)
    expect(limiter.view()).toMatchObject({ active: 8, waiting: 0 })
  })

  test('are given in the order asked', async () => {
    const limiter = limiterWith({ maxConcurrency: 1 })
    await fillUp(limiter, 1)
    const order: number[] = []
    const asked = [1, 2, 3].map(async n => {
      await limiter.acquire(never, 0)
      order.push(n)
      limiter.release(success)
    })
    limiter.release(success)
    await Promise.all(asked)
    expect(order).toEqual([1, 2, 3])
  })

  test('are not awaited after an abort, which leaves other waiters alone', async () => {
    const limiter = limiterWith({ maxConcurrency: 1 })
    await fillUp(limiter, 1)
    const stop = new AbortController()
    const aborted = ask(limiter, stop.signal)
    const patient = ask(limiter)
    stop.abort()
    await aborted.settled
    expect(aborted.state()).toBe(false)
    expect(await limiter.acquire(stop.signal, 0)).toBe(false)
    limiter.release(success)
    await patient.settled
    expect(patient.state()).toBe(true)
    expect(limiter.view()).toMatchObject({ active: 1, waiting: 0 })
  })

  test('grow with successes and shrink with complaints', async () => {
    const limiter = limiterWith()
    await fillUp(limiter, 8)
    for (let i = 0; i < 3; i++) limiter.release(success)
    expect(limiter.view().limit).toBe(11)
    limiter.release(throttled)
    limiter.release(throttled)
    expect(limiter.view()).toMatchObject({ limit: 5, throttled: 2 })
  })
})

describe('pauses', () => {
  test('hold everybody back for as long as the endpoint asks, measured on a clock that only grows', async () => {
    const limiter = limiterWith()
    await fillUp(limiter, 1)
    limiter.release(askedFor(5000))
    expect(limiter.view().pauseMs).toBe(5000)
    expect(limiter.allowance(0)).toBe(0)
    const waiting = ask(limiter)
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(4999)
    expect(waiting.state()).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting.state()).toBe(true)
    expect(limiter.view().pauseMs).toBe(0)
  })

  test('are lengthened by a later one and never shortened', async () => {
    const limiter = limiterWith()
    await fillUp(limiter, 3)
    limiter.release(askedFor(1000))
    limiter.release(askedFor(9000))
    limiter.release(askedFor(10))
    const waiting = ask(limiter)
    await vi.advanceTimersByTimeAsync(8999)
    expect(waiting.state()).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting.state()).toBe(true)
  })

  test('that are stated grow within one stretch of refusals and do not remember the stretch before', async () => {
    const limiter = limiterWith()
    const pausesOf = async (refusals: number) => {
      const pauses: number[] = []
      for (let i = 0; i < refusals; i++) {
        await fillUp(limiter, 1)
        limiter.release(askedFor(1000))
        pauses.push(limiter.view().pauseMs)
        await vi.advanceTimersByTimeAsync(limiter.view().pauseMs)
      }
      await fillUp(limiter, 1)
      limiter.release(success)
      return pauses
    }
    expect(await pausesOf(6)).toEqual([1000, 1000, 2000, 4000, 8000, 16_000])
    expect(await pausesOf(3)).toEqual([1000, 1000, 2000])
  })

  test('are not made by an endpoint that is to fail fast, nor is its limit lowered', async () => {
    const limiter = limiterWith({ onThrottle: 'fail_fast', maxConcurrency: 20 })
    await fillUp(limiter, 20)
    limiter.release(askedFor(60_000))
    expect(limiter.view()).toMatchObject({ limit: 20, pauseMs: 0, throttled: 1 })
    expect(await limiter.acquire(never, 0)).toBe(true)
  })
})

describe('rates', () => {
  test('let requests start when their minute allows it', async () => {
    const limiter = limiterWith({ requestsPerMinute: 60 })
    const first = ask(limiter)
    const second = ask(limiter)
    await first.settled
    expect(second.state()).toBeNull()
    expect(limiter.view().rateWaitMs).toBe(1000)
    await vi.advanceTimersByTimeAsync(999)
    expect(second.state()).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(second.state()).toBe(true)
  })

  test('count tokens, estimated first and as used after', async () => {
    const limiter = limiterWith({ tokensPerMinute: 60_000 })
    const first = ask(limiter, never, 3000)
    const second = ask(limiter, never, 10)
    await first.settled
    expect(second.state()).toBeNull()
    limiter.release({ ...success, usedTokens: 500 })
    await second.settled
    expect(second.state()).toBe(true)
  })

  test('follow the rates that replies announce', async () => {
    const limiter = limiterWith()
    await fillUp(limiter, 1)
    limiter.release({ ...success, announced: { requests: { limit: null, remaining: 0, resetMs: 700, refill: 'at_once' }, tokens: null } })
    const waiting = ask(limiter)
    await vi.advanceTimersByTimeAsync(699)
    expect(waiting.state()).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting.state()).toBe(true)
  })
})

describe('runs that share an endpoint', () => {
  test('may each claim an equal share, though an earlier one has everything', async () => {
    const limiter = limiterWith()
    limiter.join()
    expect(limiter.allowance(0)).toBe(8)
    await fillUp(limiter, 8)
    expect(limiter.allowance(8)).toBe(0)
    const leave = limiter.join()
    expect(limiter.allowance(0)).toBe(5)
    expect(limiter.allowance(5)).toBe(0)
    expect(limiter.allowance(8)).toBe(0)
    leave()
    expect(limiter.view().users).toBe(1)
    expect(limiter.allowance(0)).toBe(0)
  })

  test('end up with as many calls each', async () => {
    const limiter = limiterWith({ maxConcurrency: 8 })
    const served = { early: 0, late: 0 }
    const active = { early: 0, late: 0 }
    const calls: (keyof typeof served)[] = []
    const claim = (run: keyof typeof served) => {
      for (let left = limiter.allowance(active[run]); left > 0; left--) {
        active[run]++
        void limiter.acquire(never, 0).then(() => {
          calls.push(run)
          served[run]++
        })
      }
    }
    limiter.join()
    claim('early')
    await vi.advanceTimersByTimeAsync(0)
    expect(served.early).toBe(8)
    limiter.join()
    for (let i = 0; i < 200; i++) {
      claim('late')
      claim('early')
      const run = calls.shift()
      if (run) {
        active[run]--
        limiter.release(failure)
      }
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(served.late).toBeGreaterThan(90)
    expect(Math.abs(served.early - 8 - served.late)).toBeLessThanOrEqual(8)
  })
})
