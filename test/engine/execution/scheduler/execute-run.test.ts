import { contentText } from '../../../../src/contract/messages/message-text.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createEndpointLimiter, type EndpointLimiter } from '../../../../src/engine/execution/scheduler/endpoint-limiter.ts'
import { executeRun, type RunControl } from '../../../../src/engine/execution/scheduler/execute-run.ts'
import type { Commit, EndpointLimits, RunEnd, RunPlan, SchedulerPorts } from '../../../../src/engine/execution/scheduler/ports.ts'
import { answered, clientThat, closedCircuit, failed, planWith, portsWith, profile, untilAborted } from './fixtures.ts'
import { type MemoryStore, memoryStore } from './memory-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const noLimits: EndpointLimits = { maxConcurrency: 64, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'fail_fast' }

function limiterFor(plan: RunPlan): EndpointLimiter {
  const limiter = createEndpointLimiter(
    plan.model.kind === 'endpoint' ? plan.model.limits : noLimits,
    () => performance.now(),
    (ms, wake) => setTimeout(wake, ms),
    closedCircuit(),
  )
  limiter.join()
  return limiter
}

interface Started {
  readonly control: RunControl
  readonly end: () => RunEnd | null
}

function start(plan: RunPlan, store: MemoryStore, more: Partial<SchedulerPorts> = {}, limiter = limiterFor(plan)): Started {
  let end: RunEnd | null = null
  const control = executeRun(plan, portsWith(store, more), limiter)
  void control.ended.then(value => {
    end = value
  })
  return { control, end: () => end }
}

async function toEnd({ control }: Started, ms = 600_000): Promise<RunEnd> {
  const ended = control.ended
  await vi.advanceTimersByTimeAsync(ms)
  return Promise.race([ended, Promise.reject(new Error('The run has not ended.'))])
}

describe('a run', () => {
  test('asks every sample once and ends when all are scored', async () => {
    const asked: string[] = []
    const store = memoryStore(1200)
    const plan = planWith(({ messages }) => {
      asked.push(contentText(messages[0]?.content ?? ''))
      return answered()
    })
    expect(await toEnd(start(plan, store))).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 1200 })
    expect(new Set(asked).size).toBe(1200)
    expect(asked).toHaveLength(1200)
  })

  test('takes the files of a call into account where tokens a minute are limited', async () => {
    const tokensOf = async (fileTokens: number | null) => {
      const taken: number[] = []
      const client = { ...clientThat(() => answered()), ...(fileTokens !== null && { fileTokens: () => fileTokens }) }
      const plan = planWith(() => answered())
      const limiter = limiterFor(plan)
      const acquire: EndpointLimiter['acquire'] = (signal, tokens, of) => {
        taken.push(tokens)
        return limiter.acquire(signal, tokens, of)
      }
      const model = { kind: 'endpoint', endpoint: 'e', client, limits: noLimits } as const
      expect(await toEnd(start({ ...plan, model }, memoryStore(1), {}, { ...limiter, acquire }))).toEqual({ kind: 'done' })
      expect(taken).toHaveLength(1)
      return taken[0] ?? Number.NaN
    }
    expect(await tokensOf(1_296)).toBe((await tokensOf(null)) + 1_296)
  })

  test('stores each answer before it is graded', async () => {
    const store = memoryStore(20)
    const order: string[] = []
    const score: SchedulerPorts['score'] = async (metrics, inputs) => {
      order.push(
        ...inputs.map(() =>
          store.samples.every(sample => sample.status !== 'calling' || sample.output === null) ? 'graded' : 'too early',
        ),
      )
      return inputs.map(() => ({
        scores: metrics.map(() => ({ value: 1, class: 'correct', answer: null, answerSpan: null, explanation: '' })),
        tokens: null,
      }))
    }
    await toEnd(
      start(
        planWith(() => answered()),
        store,
        { score },
      ),
    )
    expect(order).toEqual(Array.from({ length: 20 }, () => 'graded'))
  })

  test('runs bounded scorers in place after the answer is stored, and writes the sample with its scores', async () => {
    const store = memoryStore(30)
    const metrics = [{ id: 'exact', scorer: 'lm_eval/gsm8k_flexible', options: {}, primary: true }]
    const score = vi.fn<SchedulerPorts['score']>()
    await toEnd(
      start(
        planWith(() => answered(), { profiles: [{ ...profile, metrics }] }),
        store,
        { score },
      ),
    )
    expect(score).not.toHaveBeenCalled()
    expect(store.counts()).toEqual({ scored: 30 })
    const at = (find: (commit: Commit) => boolean) => store.commits.findIndex(find)
    for (const { position } of store.samples) {
      const stored = at(commit => commit.attempts.some(report => report.sample.position === position && report.isScoredNext))
      const scored = at(commit => commit.scores.some(report => report.position === position && report.answer !== null))
      expect(stored).toBeGreaterThanOrEqual(0)
      expect(scored).toBeGreaterThan(stored)
    }
  })

  test('grades after a stop what was stored and not written to its sample', async () => {
    const store = memoryStore(2, [{ status: 'calling', output: '13', fence: 1, attempts: 1 }])
    store.begun.add('0:1:1')
    let calls = 0
    await toEnd(
      start(
        planWith(() => (calls++, answered())),
        store,
      ),
    )
    expect(calls).toBe(1)
    expect(store.counts()).toEqual({ scored: 2 })
    expect(store.samples[0]).toMatchObject({ attempts: 1 })
  })

  test('resumes after a stop: repeats calls in flight, only grades answers without scores', async () => {
    const store = memoryStore(6, [
      { status: 'scored' },
      { status: 'answered', output: '13', fence: 1, attempts: 1 },
      { status: 'calling', fence: 1, attempts: 1 },
      { status: 'failed', code: 'bad_request' },
    ])
    store.begun.add('2:1:1')
    let calls = 0
    expect(
      await toEnd(
        start(
          planWith(() => (calls++, answered())),
          store,
        ),
      ),
    ).toEqual({ kind: 'done' })
    expect(calls).toBe(3)
    expect(store.counts()).toEqual({ scored: 5, failed: 1 })
    expect(store.samples[2]).toMatchObject({ status: 'scored', attempts: 2 })
  })

  test('leaves everything to the next start when the process closes', async () => {
    const store = memoryStore(30)
    const run = start(
      planWith((_, signal) => untilAborted(signal)),
      store,
    )
    await vi.advanceTimersByTimeAsync(50)
    run.control.suspend()
    expect(await toEnd(run, 10)).toEqual({ kind: 'suspended' })
    // One is claimed ahead, and no call was made for it.
    expect(store.counts()).toEqual({ calling: 9, pending: 21 })
    expect(store.begun.size).toBe(8)
  })

  test('that is cancelled ends what it did not ask as cancelled', async () => {
    const store = memoryStore(1500)
    let calls = 0
    const run = start(
      planWith((_, signal) => (++calls > 20 ? untilAborted(signal) : answered())),
      store,
    )
    await vi.advanceTimersByTimeAsync(100)
    run.control.cancel()
    expect(await toEnd(run)).toEqual({ kind: 'cancelled' })
    expect(store.counts()).toEqual({ scored: 20, cancelled: 1480 })
  })

  test('stops at a refusal for good instead of failing sample by sample', async () => {
    const store = memoryStore(500)
    let calls = 0
    const end = await toEnd(
      start(
        planWith(() => (++calls > 10 ? failed('credential_refused') : answered())),
        store,
      ),
    )
    expect(end).toEqual({ kind: 'stopped', reason: { code: 'credential_refused', message: 'It failed with credential_refused.' } })
    expect(calls).toBeLessThan(30)
    expect(store.counts().scored).toBe(10)
    expect((store.counts().failed ?? 0) + (store.counts().missing ?? 0)).toBe(490)
  })

  test('lets the calls in flight finish at a refusal for good, and loses no answer that was made', async () => {
    const store = memoryStore(100)
    let calls = 0
    const call = async (_: unknown, signal: AbortSignal) => {
      // Of eight in flight the last is refused first; one that fails afterwards has had no fair attempt.
      const place = ++calls % 8
      if (place === 0) return failed('quota_exhausted')
      await new Promise(resolve => {
        setTimeout(resolve, 1000)
        signal.addEventListener('abort', resolve, { once: true })
      })
      return signal.aborted ? failed('cancelled') : place === 1 ? failed('quota_exhausted') : answered()
    }
    const run = start(planWith(call), store)
    expect(await toEnd(run)).toMatchObject({ kind: 'stopped', reason: { code: 'quota_exhausted' } })
    expect(calls).toBe(8)
    expect(store.counts()).toEqual({ scored: 6, failed: 1, missing: 93 })
  })

  test.each([
    ['many', '13', 2000, 2100],
    ['long', 'x'.repeat(1_000_000), 33, 33 + 64],
  ])('asks no more while %s answers wait for their scores', async (_how, output, least, most) => {
    const store = memoryStore(6000)
    let calls = 0
    const grade = Promise.withResolvers<void>()
    const run = start(
      planWith(() => (calls++, answered(output))),
      store,
      {
        score: async (metrics, inputs) => {
          await grade.promise
          return inputs.map(() => ({
            scores: metrics.map(() => ({ value: 0, class: 'wrong', answer: null, answerSpan: null, explanation: '' })),
            tokens: null,
          }))
        },
      },
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toBeGreaterThan(least)
    expect(calls).toBeLessThan(most)
    expect(run.control.view().grading).toBe(calls)
    grade.resolve()
    expect(await toEnd(run)).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 6000 })
  })
})

describe('retries', () => {
  test('hold no place at the endpoint and none of the run’s own', async () => {
    const store = memoryStore(40)
    const failing = new Set(Array.from({ length: 4 }, (_, i) => `What is ${9 * i}?`))
    const plan = planWith(
      ({ messages }) =>
        failing.delete(contentText(messages[0]?.content ?? ''))
          ? failed('rate_limited', { retryAfterMs: null, code: 'provider_failure' })
          : answered(),
      {
        settings: { concurrency: 2 },
        limits: { maxConcurrency: 2 },
      },
    )
    const run = start(plan, store, { random: () => 1 })
    await vi.advanceTimersByTimeAsync(400)
    expect(run.control.view()).toMatchObject({ backingOff: 4, requesting: 0 })
    expect(store.counts()).toEqual({ scored: 36, calling: 4 })
    await toEnd(run)
    expect(store.counts()).toEqual({ scored: 40 })
    expect(store.samples[0]).toMatchObject({ attempts: 2 })
  })

  test('end after the attempts that are allowed, with the last error', async () => {
    const store = memoryStore(1)
    await toEnd(
      start(
        planWith(() => failed('timeout'), { settings: { max_attempts: 3 } }),
        store,
      ),
    )
    expect(store.samples[0]).toMatchObject({ status: 'failed', attempts: 3, code: 'timeout' })
    expect(store.reports.map(report => report.then)).toEqual(['retry', 'retry', 'fail'])
  })

  test('wait for as long as the provider asks, without asking anybody meanwhile', async () => {
    const store = memoryStore(20)
    let calls = 0
    const run = start(
      planWith(() => (++calls === 1 ? failed('rate_limited', { retryAfterMs: 840_000 }) : answered())),
      store,
    )
    await vi.advanceTimersByTimeAsync(830_000)
    expect(calls).toBeLessThanOrEqual(8)
    expect(run.end()).toBeNull()
    expect(await toEnd(run, 200_000)).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 20 })
  })

  test('are not made where a connection is to fail fast', async () => {
    const store = memoryStore(30)
    let calls = 0
    const plan = planWith(() => (++calls % 3 === 0 ? failed('rate_limited', { retryAfterMs: 60_000 }) : answered()), {
      limits: { onThrottle: 'fail_fast', maxConcurrency: 30 },
    })
    await toEnd(start(plan, store), 1000)
    expect(calls).toBe(30)
    expect(store.counts()).toEqual({ scored: 20, failed: 10 })
  })
})

describe('limits of a run', () => {
  test('on concurrency can be changed during the run', async () => {
    const store = memoryStore(100)
    let inFlight = 0
    let most = 0
    const gate: (() => void)[] = []
    const plan = planWith(
      async () => {
        most = Math.max(most, ++inFlight)
        await new Promise<void>(resolve => gate.push(resolve))
        inFlight--
        return answered()
      },
      { settings: { concurrency: 2 }, limits: { maxConcurrency: 8 } },
    )
    const run = start(plan, store)
    const answerAll = async () => {
      for (const open of gate.splice(0)) open()
      await vi.advanceTimersByTimeAsync(20)
    }
    for (let i = 0; i < 3; i++) await answerAll()
    expect(most).toBe(2)
    run.control.setConcurrency(5)
    for (let i = 0; i < 3; i++) await answerAll()
    expect(most).toBe(5)
    expect(run.control.view().concurrency).toBe(5)
    run.control.setConcurrency(1)
    await answerAll()
    most = 0
    inFlight = gate.length
    for (let i = 0; i < 3; i++) await answerAll()
    expect(most).toBe(1)
  })

  test('on one call and on one sample end it as timed out', async () => {
    const store = memoryStore(2)
    const perCall = planWith((_, signal) => untilAborted(signal), { settings: { attempt_timeout_ms: 1000, max_attempts: 2 } })
    await toEnd(start(perCall, store), 10_000)
    expect(store.samples.map(({ status, code, attempts }) => ({ status, code, attempts }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 'failed', code: 'timeout', attempts: 2 })),
    )

    const other = memoryStore(1)
    const perSample = planWith(() => failed('provider_failure', { retryAfterMs: 700 }), {
      settings: { sample_timeout_ms: 2000, max_attempts: 10 },
    })
    await toEnd(start(perSample, other), 10_000)
    expect(other.reports.length).toBeLessThan(5)
    expect(other.samples[0]?.status).toBe('failed')
  })

  test('on one sample leave it missing where no call was made for it in time', async () => {
    const store = memoryStore(2)
    const plan = planWith(() => answered(), { settings: { sample_timeout_ms: 2000, max_attempts: 3 } })
    const full: EndpointLimiter = {
      ...limiterFor(plan),
      acquire: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve(null))),
    }
    await toEnd(start(plan, store, {}, full), 10_000)
    expect(store.counts()).toEqual({ missing: 2 })
    expect(store.reports.map(({ outcome }) => (outcome.ok ? null : outcome.message))).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('before a call could be made')),
    )
  })

  test('on the whole run leave what was not asked missing, counting what it ran before', async () => {
    const store = memoryStore(50)
    const plan = planWith((_, signal) => untilAborted(signal), { settings: { run_timeout_ms: 60_000 }, ranMs: 50_000 })
    const run = start(plan, store)
    await vi.advanceTimersByTimeAsync(9000)
    expect(run.end()).toBeNull()
    expect(store.savedMs).toBeGreaterThan(54_000)
    expect(await toEnd(run, 2000)).toMatchObject({ kind: 'stopped', reason: { code: 'time_limit' } })
    expect(store.counts()).toEqual({ missing: 50 })
  })

  test('on money stop it before the call that could pass them, and never let it be passed', async () => {
    const store = memoryStore(100)
    // 100 tokens of answer at most, of which half are used: 50 micro-USD a call, and never known to be fewer than 100 before.
    const money = {
      payer: 'provider',
      rates: { inputMicroUsdPerMillion: 0n, outputMicroUsdPerMillion: 1_000_000n },
      cap: 1000n,
      spent: 0n,
    } as const
    const plan = planWith(() => answered('x', { usage: { inputTokens: 10, outputTokens: 50 } }), { money })
    expect(await toEnd(start(plan, store))).toMatchObject({ kind: 'stopped', reason: { code: 'cap_reached' } })
    expect(store.counts()).toEqual({ scored: 19, missing: 81 })
    expect(store.reports.reduce((sum, report) => sum + report.cost, 0n)).toBe(950n)
  })

  test('on money holds even if every call whose bill is unknown is billed in full', async () => {
    const store = memoryStore(100)
    const money = {
      payer: 'provider',
      rates: { inputMicroUsdPerMillion: 0n, outputMicroUsdPerMillion: 1_000_000n },
      cap: 1000n,
      spent: 0n,
    } as const
    let calls = 0
    // Where all fail alike, the run would stop for that.
    const broken = () =>
      failed('bad_response', { httpStatus: 200, request: new Uint8Array(1), message: calls++ % 2 ? 'Cut off.' : 'Empty.' })
    const plan = planWith(broken, { money, settings: { max_attempts: 1 } })
    expect(await toEnd(start(plan, store))).toMatchObject({ kind: 'stopped', reason: { code: 'cap_reached' } })
    // Each could cost 100 micro-USD.
    const asked = store.reports.filter(({ outcome }) => outcome.request !== null)
    expect(asked).toHaveLength(10)
    expect(asked.every(({ cost, isBillUnknown }) => cost === 0n && isBillUnknown)).toBe(true)
  })

  test('on spending can be raised during the run', async () => {
    const store = memoryStore(40)
    const gate: (() => void)[] = []
    const money = {
      payer: 'wallet',
      rates: { inputMicroUsdPerMillion: 0n, outputMicroUsdPerMillion: 1_000_000n },
      cap: 100n,
      spent: 0n,
    } as const
    const plan = planWith(() => new Promise(resolve => gate.push(() => resolve(answered()))), { money })
    const run = start(plan, store)
    await vi.advanceTimersByTimeAsync(50)
    expect(gate).toHaveLength(1)
    run.control.setCap(null)
    for (let i = 0; i < 20; i++) {
      for (const open of gate.splice(0)) open()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(await toEnd(run)).toEqual({ kind: 'done' })
  })
})

test('a full disk makes the run wait, and nothing is lost or asked twice when there is room again', async () => {
  const store = memoryStore(60)
  let calls = 0
  const run = start(
    planWith(() => (++calls === 20 ? ((store.storageFault = new Error('full')), answered()) : answered())),
    store,
  )
  await vi.advanceTimersByTimeAsync(30_000)
  expect(run.end()).toBeNull()
  expect(run.control.view().blocked).toBe('full')
  expect(calls).toBeLessThan(40)
  store.storageFault = null
  expect(await toEnd(run)).toEqual({ kind: 'done' })
  expect(store.counts()).toEqual({ scored: 60 })
  expect(calls).toBe(60)
})

test('a disk that is nearly full lets nothing new be asked; what was asked is scored, and the rest follows when there is room', async () => {
  const store = memoryStore(60)
  let calls = 0
  const nearlyFull = () => (calls >= 20 && !hasRoom ? 'nearly full' : null)
  let hasRoom = false
  const run = start(
    planWith(() => (calls++, answered())),
    store,
    { storageFault: nearlyFull },
  )
  await vi.advanceTimersByTimeAsync(30_000)
  expect(run.end()).toBeNull()
  expect(run.control.view().blocked).toBe('nearly full')
  expect(calls).toBeLessThan(60)
  expect(store.counts().scored).toBe(calls)
  expect(store.begun.size).toBe(calls)
  hasRoom = true
  expect(await toEnd(run)).toEqual({ kind: 'done' })
  expect(store.counts()).toEqual({ scored: 60 })
})

test('a run that is cancelled while the disk is nearly full ends, each of its samples with it', async () => {
  const store = memoryStore(1200)
  const run = start(
    planWith(() => answered()),
    store,
    { storageFault: () => 'nearly full' },
  )
  await vi.advanceTimersByTimeAsync(5_000)
  expect(run.end()).toBeNull()
  run.control.cancel()
  expect(await toEnd(run)).toEqual({ kind: 'cancelled' })
  expect(store.counts()).toEqual({ cancelled: 1200 })
})

describe('a cache', () => {
  const cacheScope = { endpoint: 'https://e/v1', model: 'm', read: true } as const

  test('returns the cached answer with its times and cost, without a model call', async () => {
    const first = memoryStore(10)
    let calls = 0
    const call = () => (calls++, answered('13', { latencyMs: 321 }))
    await toEnd(start(planWith(call, { cacheScope }), first))
    expect(calls).toBe(10)
    vi.setSystemTime(Date.now() + 3_600_000)
    const second = memoryStore(12)
    for (const [key, answer] of first.cache) second.cache.set(key, answer)
    await toEnd(start(planWith(call, { cacheScope }), second))
    expect(calls).toBe(12)
    const hits = second.reports.filter(report => report.cached)
    expect(hits).toHaveLength(10)
    expect(hits[0]).toMatchObject({ startedAt: first.reports[0]?.startedAt, outcome: { latencyMs: 321 }, cacheKey: null })
    expect(second.counts()).toEqual({ scored: 12 })
  })

  test('neither keeps nor serves an answer that was cut off', async () => {
    const first = memoryStore(3)
    await toEnd(
      start(
        planWith(() => answered('1', { finishReason: 'length' }), { cacheScope }),
        first,
      ),
    )
    expect(first.cache.size).toBe(0)
    const second = memoryStore(3)
    const kept = memoryStore(3)
    await toEnd(
      start(
        planWith(() => answered('13'), { cacheScope }),
        kept,
      ),
    )
    for (const [key, answer] of kept.cache) second.cache.set(key, { ...answer, outcome: { ...answer.outcome, finishReason: 'length' } })
    let calls = 0
    await toEnd(
      start(
        planWith(() => (calls++, answered('13')), { cacheScope }),
        second,
      ),
    )
    expect(calls).toBe(3)
  })

  test('knows another endpoint, model, request or repetition from the same', async () => {
    const { cacheKey } = await import('../../../../src/engine/execution/scheduler/cache-key.ts')
    const request = { messages: [{ role: 'user', content: 'a' }], temperature: 0, maxOutputTokens: 5, stop: [] } as const
    const keys = [
      cacheKey(cacheScope, request, 1),
      cacheKey(cacheScope, request, 2),
      cacheKey({ ...cacheScope, endpoint: 'https://f/v1' }, request, 1),
      cacheKey({ ...cacheScope, model: 'n' }, request, 1),
      cacheKey(cacheScope, { ...request, temperature: null }, 1),
      cacheKey(cacheScope, { ...request, maxOutputTokens: 6 }, 1),
      cacheKey(cacheScope, { ...request, stop: ['x'] }, 1),
      cacheKey(cacheScope, { ...request, messages: [{ role: 'system', content: 'a' }] }, 1),
    ].map(key => Buffer.from(key).toString('hex'))
    expect(new Set(keys).size).toBe(keys.length)
    expect(Buffer.from(cacheKey({ ...cacheScope, read: false }, { ...request }, 1)).toString('hex')).toBe(keys[0])
  })

  test('that is not to be read is still written', async () => {
    const store = memoryStore(3)
    await toEnd(
      start(
        planWith(() => answered(), { cacheScope: { ...cacheScope, read: false } }),
        store,
      ),
    )
    expect(store.reports.every(report => !report.cached)).toBe(true)
    expect(store.cache.size).toBe(3)
  })
})

test('two runs of one endpoint get as many calls each', async () => {
  const done = { early: 0, late: 0 }
  const call = (run: keyof typeof done) => async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    done[run]++
    return answered()
  }
  const early = planWith(call('early'), { runId: 'early' })
  const late = planWith(call('late'), { runId: 'late' })
  const limiter = limiterFor(early)
  const first = start(early, memoryStore(1000), {}, limiter)
  await vi.advanceTimersByTimeAsync(1000)
  limiter.join()
  const second = start(late, memoryStore(1000), {}, limiter)
  const before = done.early
  await vi.advanceTimersByTimeAsync(5000)
  expect(done.late).toBeGreaterThan(150)
  expect(Math.abs(done.early - before - done.late)).toBeLessThan(20)
  first.control.cancel()
  second.control.cancel()
  await vi.advanceTimersByTimeAsync(1000)
})
