import { contentText } from '../../../../src/contract/messages/message-text.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../../../src/engine/clients/fault.ts'
import type { Outage } from '../../../../src/engine/execution/scheduler/circuit-breaker.ts'
import type { RunEnd, RunPlan, SchedulerPorts } from '../../../../src/engine/execution/scheduler/ports.ts'
import { createScheduler } from '../../../../src/engine/execution/scheduler/scheduler.ts'
import { answered, type Caller, clientThat, failed, planWith, portsWith } from './fixtures.ts'
import { type MemoryStore, memoryStore } from './memory-store.ts'

const down: Fault = { code: 'unreachable', message: 'The server refuses connections.' }

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** A run against an endpoint that answers neither calls nor probes while it is down. */
function runAgainst(
  store: MemoryStore,
  more: {
    call?: Caller
    answers?: Caller
    onThrottle?: 'adapt' | 'fail_fast'
    maxConcurrency?: number
    settings?: Partial<RunPlan['execution']>
    ports?: Partial<SchedulerPorts>
  } = {},
) {
  const endpoint = { isDown: false, calls: 0, probes: 0 }
  const saved = new Map<string, Outage>()
  const outages = {
    find: (name: string) => saved.get(name) ?? null,
    save: (name: string, outage: Outage | null) => void (outage ? saved.set(name, outage) : saved.delete(name)),
  }
  const scheduler = createScheduler(portsWith(store, { outages, ...more.ports }))
  const limits = {
    maxConcurrency: more.maxConcurrency ?? 8,
    requestsPerMinute: null,
    tokensPerMinute: null,
    onThrottle: more.onThrottle ?? 'adapt',
  }
  const client = clientThat(
    (request, signal) => {
      endpoint.calls++
      return endpoint.isDown ? failed(down.code, { message: down.message }) : (more.call ?? (() => answered()))(request, signal)
    },
    async () => {
      endpoint.probes++
      return endpoint.isDown ? down : null
    },
  )
  const close = vi.spyOn(client, 'close')
  const { model: _, ...plan } = planWith(() => answered(), { settings: { max_attempts: 3, ...more.settings } })
  let end: RunEnd | null = null
  const begin = () => {
    const run = scheduler.run({ ...plan, model: { kind: 'endpoint', endpoint: 'e', client, limits } })
    run.then(
      value => {
        end = value
      },
      () => undefined,
    )
    return run
  }
  return { endpoint, saved, scheduler, begin, close, end: () => end, outage: () => scheduler.view('r1')?.endpoint.outage ?? null }
}

const minutes = (n: number) => vi.advanceTimersByTimeAsync(n * 60_000)

describe('an endpoint that dies', () => {
  test('pauses the run, is probed with backoff, and no sample fails for it', async () => {
    const store = memoryStore(600)
    const run = runAgainst(store)
    run.endpoint.isDown = true
    void run.begin()
    await minutes(30)
    expect(run.end()).toBeNull()
    expect(store.counts()).not.toHaveProperty('failed')
    // The limit's first calls, and no more.
    expect(run.endpoint.calls).toBeLessThanOrEqual(16)
    expect(run.endpoint.probes).toBeGreaterThan(20)
    expect(run.endpoint.probes).toBeLessThan(45)
    expect(run.outage()).toMatchObject({ code: 'unreachable', message: down.message, probes: run.endpoint.probes })
    expect(run.outage()?.nextProbeAt).toBeGreaterThan(Date.now())

    run.endpoint.isDown = false
    await minutes(2)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 600 })
    expect(run.saved.size).toBe(0)
    // Whoever opened the client closes it.
    expect(run.close).not.toHaveBeenCalled()
  })

  test.each([1, 3])('in the middle of a run with %i attempts a sample burns none', async max_attempts => {
    const store = memoryStore(300)
    let answers = 0
    const run = runAgainst(store, {
      settings: { max_attempts },
      call: () => {
        if (++answers === 100) run.endpoint.isDown = true
        return answered()
      },
    })
    void run.begin()
    await minutes(5)
    expect(run.outage()).not.toBeNull()
    run.endpoint.isDown = false
    await minutes(2)
    expect(store.counts()).toEqual({ scored: 300 })
  })

  test('is probed immediately on Resume', async () => {
    const store = memoryStore(20)
    const run = runAgainst(store)
    run.endpoint.isDown = true
    void run.begin()
    await minutes(10)
    run.endpoint.isDown = false
    expect(run.scheduler.resume('r1')).toBe(true)
    await vi.advanceTimersByTimeAsync(100)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 20 })
  })

  test('stays down over a restart, which probes before it calls', async () => {
    const store = memoryStore(20)
    const before = runAgainst(store)
    before.endpoint.isDown = true
    void before.begin()
    await minutes(3)
    const since = before.outage()?.since
    await before.scheduler.close()
    expect(before.saved.get('e')).toMatchObject({ since, code: 'unreachable' })

    const after = runAgainst(store, { ports: { outages: { find: name => before.saved.get(name) ?? null, save: () => undefined } } })
    after.endpoint.isDown = true
    void after.begin()
    await minutes(3)
    expect(after.endpoint.calls).toBe(0)
    expect(after.outage()).toMatchObject({ since })
    after.endpoint.isDown = false
    await minutes(2)
    expect(store.counts()).toEqual({ scored: 20 })
  })

  test('does not use up the time that samples and the run may take', async () => {
    const store = memoryStore(20)
    const run = runAgainst(store, { settings: { sample_timeout_ms: 30_000, run_timeout_ms: 60_000 } })
    run.endpoint.isDown = true
    void run.begin()
    await minutes(6)
    run.endpoint.isDown = false
    await minutes(2)
    expect(store.counts()).toEqual({ scored: 20 })
  })

  test('ends a run whose connection fails fast, with the reason', async () => {
    const store = memoryStore(600)
    const run = runAgainst(store, { onThrottle: 'fail_fast' })
    run.endpoint.isDown = true
    void run.begin()
    await minutes(5)
    expect(run.end()).toMatchObject({ kind: 'stopped', reason: { code: 'unreachable' } })
    expect(store.counts()['missing']).toBeGreaterThan(550)
  })

  test('can be cancelled while it is down', async () => {
    const store = memoryStore(50)
    const run = runAgainst(store)
    run.endpoint.isDown = true
    void run.begin()
    await minutes(1)
    run.scheduler.control('r1')?.cancel()
    await vi.advanceTimersByTimeAsync(1000)
    expect(run.end()).toEqual({ kind: 'cancelled' })
    expect(store.counts()).toEqual({ cancelled: 50 })
    expect(run.saved.size).toBe(0)
  })
})

describe('a call that fails while the endpoint answers probes', () => {
  test.each([1, 8])('ends its sample and no other, %i at a time', async maxConcurrency => {
    const store = memoryStore(40)
    const run = runAgainst(store, {
      maxConcurrency,
      call: ({ messages }) => (contentText(messages[0]?.content ?? '').includes('What is 7?') ? failed('unreachable') : answered()),
    })
    void run.begin()
    await minutes(10)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 39, failed: 1 })
    expect(store.samples[7]).toMatchObject({ status: 'failed', attempts: 3 })
  })

  test('ends its sample where that brings the endpoint down each time', async () => {
    const store = memoryStore(12)
    const run = runAgainst(store, {
      maxConcurrency: 1,
      call: ({ messages }) => {
        if (!contentText(messages[0]?.content ?? '').includes('What is 7?')) return answered()
        run.endpoint.isDown = true
        setTimeout(() => {
          run.endpoint.isDown = false
        }, 20_000)
        return failed('unreachable')
      },
    })
    void run.begin()
    await minutes(60)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 11, failed: 1 })
  })

  test('too slowly for the run’s own limit says nothing about the endpoint', async () => {
    const store = memoryStore(20)
    const run = runAgainst(store, {
      settings: { attempt_timeout_ms: 1000 },
      call: (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve(failed('cancelled')), { once: true })),
    })
    void run.begin()
    await minutes(5)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(run.endpoint.probes).toBe(0)
    expect(store.counts()).toEqual({ failed: 20 })
  })
})

test('a pause that the endpoint asks for is capped within the run’s patience and can be skipped', async () => {
  const store = memoryStore(5)
  let asked = 0
  const run = runAgainst(store, {
    settings: { throttle_patience_ms: 10 * 3_600_000 },
    call: () => (++asked === 1 ? failed('rate_limited', { retryAfterMs: 9 * 3_600_000 }) : answered()),
  })
  void run.begin()
  await vi.advanceTimersByTimeAsync(1000)
  const pause = run.scheduler.view('r1')?.endpoint.pauseMs ?? 0
  expect(pause).toBeGreaterThan(14 * 60_000)
  expect(pause).toBeLessThanOrEqual(15 * 60_000)
  run.scheduler.resume('r1')
  await vi.advanceTimersByTimeAsync(1000)
  expect(run.end()).toEqual({ kind: 'done' })
  expect(store.counts()).toEqual({ scored: 5 })
})

describe('an unexpected error', () => {
  const boom = new Error('Task 3 cannot be read.')

  test.each([
    [
      'reading tasks',
      {
        tasks: () => {
          throw boom
        },
      },
    ],
    ['grading', { score: () => Promise.reject(boom) }],
  ] as const)('in %s ends what is in flight and is told, with nothing left running', async (_, ports) => {
    const store = memoryStore(5000)
    const run = runAgainst(store, { ports })
    const ended = expect(run.begin()).rejects.toBe(boom)
    await minutes(1)
    await ended
    const { calls } = run.endpoint
    await minutes(10)
    expect(run.endpoint.calls).toBe(calls)
    expect(run.scheduler.view('r1')).toBeNull()
  })
})
