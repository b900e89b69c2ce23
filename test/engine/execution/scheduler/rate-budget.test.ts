import { beforeEach, describe, expect, test } from 'vitest'
import { createRateBudget } from '../../../../src/engine/execution/scheduler/rate-budget.ts'

let now = 0
const clock = () => now
const unlimited = { requestsPerMinute: null, tokensPerMinute: null }
beforeEach(() => {
  now = 0
})

describe('requests per minute', () => {
  test('are spread over the minute with a burst of one second', () => {
    const budget = createRateBudget({ ...unlimited, requestsPerMinute: 120 }, clock)
    expect(budget.room()).toBe(2)
    budget.started(0)
    budget.started(0)
    expect(budget.room()).toBe(0)
    expect(budget.msUntilRoom()).toBe(500)
    now = 500
    expect(budget.room()).toBe(1)
    now = 60_000
    expect(budget.room()).toBe(2)
  })

  test('let at least one start where there is less than one a second', () => {
    const budget = createRateBudget({ ...unlimited, requestsPerMinute: 6 }, clock)
    expect(budget.room()).toBe(1)
    budget.started(0)
    expect(budget.msUntilRoom()).toBe(10_000)
  })
})

describe('tokens per minute', () => {
  test('let a call start while any are left, and make the next wait until the debt is paid', () => {
    const budget = createRateBudget({ ...unlimited, tokensPerMinute: 6000 }, clock)
    expect(budget.room()).toBe(Number.POSITIVE_INFINITY)
    budget.started(300)
    expect(budget.room()).toBe(0)
    expect(budget.msUntilRoom()).toBeCloseTo(2000)
    now = 2100
    expect(budget.room()).toBe(Number.POSITIVE_INFINITY)
  })

  test('are corrected by what the provider counted', () => {
    const budget = createRateBudget({ ...unlimited, tokensPerMinute: 6000 }, clock)
    budget.started(300)
    budget.ended(300, 50)
    expect(budget.room()).toBe(Number.POSITIVE_INFINITY)
    budget.started(10)
    budget.ended(10, 540)
    expect(budget.msUntilRoom()).toBeCloseTo(4900)
  })

  test('stay within the hourly budget for any token counts', () => {
    const budget = createRateBudget({ ...unlimited, tokensPerMinute: 6000 }, clock)
    let used = 0
    while (now < 3_600_000) {
      while (budget.room() > 0) {
        budget.started(100)
        budget.ended(100, 700)
        used += 700
      }
      now += Math.max(1, Math.ceil(budget.msUntilRoom()))
    }
    expect(used / 60).toBeGreaterThan(5900)
    expect(used / 60).toBeLessThan(6100)
  })
})

describe('rates announced by replies', () => {
  const requests = (remaining: number, resetMs: number, refill: 'steady' | 'at_once' = 'at_once', limit: number | null = null) => ({
    requests: { limit, remaining, resetMs, refill },
    tokens: null,
  })

  test('holds calls back until the window is over', () => {
    const budget = createRateBudget(unlimited, clock)
    budget.announced(requests(1, 3000))
    budget.started(0)
    expect(budget.room()).toBe(0)
    expect(budget.msUntilRoom()).toBe(3000)
    now = 3000
    expect(budget.room()).toBe(Number.POSITIVE_INFINITY)
    expect(budget.msUntilRoom()).toBe(0)
  })

  test('fills up all the time where the provider’s limit does', () => {
    const budget = createRateBudget(unlimited, clock)
    budget.announced(requests(0, 60_000, 'steady', 60))
    expect(budget.msUntilRoom()).toBe(1000)
    now = 10_000
    expect(budget.room()).toBe(10)
  })

  test('is assumed to exclude calls in flight', () => {
    const budget = createRateBudget(unlimited, clock)
    budget.started(500)
    budget.started(500)
    budget.announced({ requests: { limit: null, remaining: 3, resetMs: 1000, refill: 'at_once' }, tokens: null })
    expect(budget.room()).toBe(1)
    budget.ended(500, null)
    budget.announced({ requests: null, tokens: { limit: null, remaining: 400, resetMs: 1000, refill: 'at_once' } })
    expect(budget.room()).toBe(0)
  })

  test('is replaced by what a later reply says, and never loosens the connection’s own limit', () => {
    const budget = createRateBudget({ ...unlimited, requestsPerMinute: 60 }, clock)
    budget.announced(requests(0, 60_000))
    expect(budget.room()).toBe(0)
    budget.announced(requests(1000, 60_000))
    expect(budget.room()).toBe(1)
  })
})
