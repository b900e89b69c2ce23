import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Rates } from '../../../../src/contract/catalog/models.schemas.ts'
import type { CallOutcome } from '../../../../src/engine/clients/model-client.ts'
import { tokenRates } from '../../../../src/engine/clients/pricing/pricing.ts'
import type { RunEnd, RunPlan, SchedulerPorts } from '../../../../src/engine/execution/scheduler/ports.ts'
import { createScheduler } from '../../../../src/engine/execution/scheduler/scheduler.ts'
import { mulberry32 } from '../../../../src/engine/statistics/random.ts'
import { answered, type Caller, clientThat, failed, planWith, portsWith } from './fixtures.ts'
import { type MemoryStore, memoryStore } from './memory-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const throttled = (more: Parameters<typeof failed>[1] = {}) => failed('rate_limited', { httpStatus: 429, ...more })
const overloaded = (httpStatus: number) => failed('provider_failure', { httpStatus })

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

function start(store: MemoryStore, call: Caller, plan: Parameters<typeof planWith>[1] = {}, ports: Partial<SchedulerPorts> = {}) {
  const scheduler = createScheduler(portsWith(store, ports))
  let calls = 0
  let end: RunEnd | null = null
  const counted: Caller = (request, signal) => {
    calls++
    return call(request, signal)
  }
  const model: RunPlan['model'] = {
    kind: 'endpoint',
    endpoint: 'e',
    client: clientThat(counted),
    limits: { maxConcurrency: 16, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt', ...plan.limits },
  }
  void scheduler.run({ ...planWith(counted, plan), model }).then(ended => {
    end = ended
  })
  return { scheduler, calls: () => calls, end: () => end }
}

const minutes = (n: number) => vi.advanceTimersByTimeAsync(n * 60_000)
/** One attempt a sample: an attempt that a wait used up would show as a failure. */
const oneAttempt = { settings: { max_attempts: 1 } }

describe('an endpoint that takes no calls for a while', () => {
  test('costs no sample an attempt where its window allows ten answers in 20 seconds', async () => {
    const store = memoryStore(40)
    let window = Number.NEGATIVE_INFINITY
    let left = 0
    const run = start(
      store,
      () => {
        if (Date.now() - window > 20_000) {
          window = Date.now()
          left = 10
        }
        return left-- > 0 ? answered() : throttled()
      },
      oneAttempt,
    )
    await minutes(5)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 40 })
    expect(run.calls()).toBeLessThan(80)
  })

  test.each([429, 503, 529])('is tried by one call at a time until it answers: %i', async status => {
    const store = memoryStore(40)
    const until = Date.now() + 45_000
    const run = start(store, () => (Date.now() > until ? answered() : status === 429 ? throttled() : overloaded(status)), oneAttempt)
    await minutes(3)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 40 })
    // Those in flight at first, and one after each pause.
    expect(run.calls()).toBeLessThan(40 + 8 + 10)
  })

  test('is told from samples that fail by themselves: failures of most calls are no sample’s', async () => {
    const store = memoryStore(40)
    const until = Date.now() + 45_000
    const run = start(store, () => (Date.now() > until ? answered() : overloaded(500)))
    await minutes(3)
    expect(store.counts()).toEqual({ scored: 40 })

    const other = memoryStore(40)
    start(other, ({ messages }) => (messages[0]?.content === 'What is 7?' ? overloaded(500) : answered()))
    await minutes(3)
    expect(other.counts()).toEqual({ scored: 39, failed: 1 })
    expect(run.end()).toEqual({ kind: 'done' })
  })

  test('that breaks off its answers is waited for as long as an overload takes, and no longer', async () => {
    const store = memoryStore(40)
    const until = Date.now() + 40_000
    const run = start(store, () => (Date.now() > until ? answered() : overloaded(200)))
    await minutes(2)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 40 })

    const other = memoryStore(40)
    const stopped = start(other, () => overloaded(200))
    await minutes(1)
    expect(stopped.end()).toMatchObject({ kind: 'stopped', reason: { code: 'provider_failure' } })
  })

  test.each([429, 503, 500])('with one slot answers every sample in 1.3 calls each at most: %i', async status => {
    const store = memoryStore(200)
    let busy = false
    const run = start(store, async () => {
      if (busy) return status === 429 ? throttled() : overloaded(status)
      busy = true
      await sleep(150)
      busy = false
      return answered()
    })
    await minutes(10)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 200 })
    expect(run.calls()).toBeLessThanOrEqual(260)
  })

  test('pauses for what it asks, and longer where that proves too short', async () => {
    const store = memoryStore(20)
    const until = Date.now() + 60_000
    const run = start(store, () => (Date.now() > until ? answered() : throttled({ retryAfterMs: 1000 })), oneAttempt)
    await minutes(3)
    expect(store.counts()).toEqual({ scored: 20 })
    expect(run.calls()).toBeLessThan(40)
  })

  test('keeps the attempts of its samples over a restart', async () => {
    const store = memoryStore(1)
    let isOpen = false
    const call: Caller = () => (isOpen ? failed('bad_response') : throttled())
    const before = start(store, call, { settings: { max_attempts: 3 } })
    await minutes(4)
    await before.scheduler.close()
    isOpen = true
    await minutes(1)
    const after = start(store, call, { settings: { max_attempts: 3 } })
    await minutes(2)
    expect(after.end()).toEqual({ kind: 'done' })
    expect(after.calls()).toBe(3)
  })
})

describe('a run’s patience', () => {
  test('ends it with the endpoint’s words, its samples missing and none failed', async () => {
    const store = memoryStore(30)
    const run = start(store, () => throttled({ message: 'It asks for a pause.' }), oneAttempt)
    await minutes(14)
    expect(run.end()).toBeNull()
    const view = run.scheduler.view('r1')
    expect(view?.givesUpInMs).toBeGreaterThan(0)
    expect(view?.givesUpInMs).toBeLessThanOrEqual(60_001)
    expect(view?.endpoint.throttle).toMatchObject({ refusal: { message: 'It asks for a pause.' } })
    await minutes(1.1)
    expect(run.end()).toEqual({
      kind: 'stopped',
      reason: {
        code: 'rate_limited',
        message: 'It asks for a pause. No call was answered for 15 min, so Assay stopped waiting. Retry the missing samples later.',
      },
    })
    expect(store.counts()).toEqual({ missing: 30 })
  })

  test('begins anew with each answer', async () => {
    const store = memoryStore(4)
    let opens = Date.now()
    const call = () => {
      if (Date.now() < opens) return throttled()
      opens = Date.now() + 40_000
      return answered()
    }
    const run = start(store, call, { settings: { throttle_patience_ms: 60_000 } })
    await minutes(5)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 4 })
  })

  test('is not used up waiting where the endpoint asks for more', async () => {
    const store = memoryStore(30)
    const run = start(store, () => throttled({ retryAfterMs: 86_400_000, message: 'It asks for a day.' }))
    await minutes(0.1)
    expect(run.end()).toMatchObject({
      kind: 'stopped',
      reason: { message: 'It asks for a day. That is longer than the patience of 15 min. Retry the missing samples later.' },
    })
    expect(run.calls()).toBeLessThanOrEqual(8)
  })

  test('is the run’s own, and does not count as time of a sample', async () => {
    const store = memoryStore(10)
    const until = Date.now() + 5 * 60_000
    const call = () => (Date.now() > until ? answered() : throttled())
    const patient = start(store, call, { settings: { sample_timeout_ms: 30_000, max_attempts: 1 } })
    const other = memoryStore(10)
    const hasty = start(other, call, { settings: { throttle_patience_ms: 60_000 } })
    await minutes(7)
    expect(patient.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 10 })
    expect(hasty.end()).toMatchObject({ kind: 'stopped' })
  })

  test('is none where a connection fails fast', async () => {
    const store = memoryStore(20)
    const run = start(store, () => throttled(), { limits: { onThrottle: 'fail_fast' } })
    await minutes(0.1)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ failed: 20 })
    expect(run.calls()).toBe(20)
  })
})

describe('an error that every sample gets', () => {
  test('stops the run after a few, with its remedy said once', async () => {
    const store = memoryStore(300)
    const message = (tokens: number) =>
      `It refused the request (HTTP 400: temperature, request req_${tokens}). Set the temperature to none.`
    let calls = 0
    const run = start(store, () => failed('bad_request', { httpStatus: 400, message: message(++calls) }))
    await minutes(1)
    expect(run.end()).toMatchObject({
      kind: 'stopped',
      reason: {
        code: 'bad_request',
        message: expect.stringMatching(/^The first 5 samples failed with the same error, .*Set the temperature to none\.$/),
      },
    })
    expect(run.calls()).toBeLessThanOrEqual(16)
  })

  test.each<[string, (no: number) => CallOutcome]>([
    ['some samples get answers', no => (no === 3 ? answered() : failed('bad_request', { httpStatus: 400 }))],
    ['the errors differ', no => failed('bad_request', { httpStatus: no % 2 ? 400 : 422 })],
    ['a filter refuses each prompt', () => failed('content_filtered', { httpStatus: 400 })],
  ])('is not seen where %s', async (_, outcome) => {
    const store = memoryStore(30)
    let calls = 0
    const run = start(store, () => outcome(++calls))
    await minutes(1)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(run.calls()).toBe(30)
  })
})

describe('a day of weather', () => {
  const questions = 1319
  const rates = tokenRates(Rates.parse({ input_microusd_per_million: '1000000', output_microusd_per_million: '10000000' }))

  /** One slot; for 20 % of the time no calls taken, for 5 % overloaded, once a pause of a minute; 3 % resets and 2 % cut streams. */
  function weather() {
    const random = mulberry32(7)
    const began = Date.now()
    const books = { answers: 0, billed: 0n, calls: 0 }
    let busy = false
    const reply = async (): Promise<CallOutcome> => {
      books.calls++
      const second = (Date.now() - began) / 1000
      if (second >= 300 && second < 360) return throttled({ retryAfterMs: Math.ceil((360 - second) * 1000) })
      const ofMinute = second % 100
      if (ofMinute >= 50 && ofMinute < 70) return throttled()
      if (ofMinute >= 90 && ofMinute < 95) return overloaded(529)
      if (busy) return throttled()
      busy = true
      await sleep(400)
      busy = false
      const luck = random()
      if (luck < 0.03) return failed('unreachable', { message: 'It cut the connection before it answered.' })
      if (luck < 0.05) return failed('bad_response', { httpStatus: 200, message: 'It cut its answer off before the end.' })
      const usage = { inputTokens: 20 + Math.floor(random() * 100), outputTokens: 1 + Math.floor(random() * 50) }
      books.answers++
      books.billed += BigInt(usage.inputTokens) + 10n * BigInt(usage.outputTokens)
      return answered('13', { usage })
    }
    return { books, reply }
  }

  test('ends complete: every sample once, within 1.3 calls each, the money as the server counts it', async () => {
    const store = memoryStore(questions)
    const { books, reply } = weather()
    const run = start(store, reply, { money: rates && { payer: 'provider', rates, cap: null, spent: 0n } })
    await minutes(60)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: questions })
    const scored = store.reports.filter(({ outcome }) => outcome.ok)
    expect(new Set(scored.map(({ sample }) => sample.position)).size).toBe(questions)
    expect(books.answers).toBe(questions)
    expect(run.calls()).toBe(books.calls)
    expect(store.reports).toHaveLength(books.calls)
    expect(books.calls).toBeLessThanOrEqual(1.3 * questions)
    expect(store.reports.reduce((sum, { cost }) => sum + cost, 0n)).toBe(books.billed)
  })

  test('ends complete as well where calls are refused by chance', async () => {
    const store = memoryStore(questions)
    const random = mulberry32(3)
    const run = start(store, () => {
      const luck = random()
      if (luck < 0.2) return throttled()
      if (luck < 0.25) return overloaded(529)
      if (luck < 0.28) return failed('unreachable')
      return luck < 0.3 ? failed('bad_response', { httpStatus: 200 }) : answered()
    })
    await minutes(120)
    expect(run.end()).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: questions })
    // Of 100 calls 70 are answered, whoever makes them.
    expect(run.calls()).toBeLessThanOrEqual((questions / 0.7) * 1.05)
  })
})
