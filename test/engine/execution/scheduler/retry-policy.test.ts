import { describe, expect, test } from 'vitest'
import { type FailureCode, failureCodes } from '../../../../src/contract/runs/failure-codes.ts'
import { isThrottled } from '../../../../src/engine/clients/is-throttled.ts'
import { pauseBeforeRetry } from '../../../../src/engine/execution/scheduler/retry-policy.ts'

const failed = (code: FailureCode, retryAfterMs: number | null = null) => ({ code, retryAfterMs })

describe('the pause before another attempt', () => {
  test.each(Object.entries(failureCodes))('after %s is made when another attempt may help', (code, { retryable }) => {
    const pause = pauseBeforeRetry(failed(code as FailureCode), 1, 5, () => 0.5) // a key of the table itself
    expect(pause !== null).toBe(retryable)
  })

  test('grows exponentially, with full jitter, up to a minute', () => {
    const longest = (attempt: number) => pauseBeforeRetry(failed('provider_failure'), attempt, 100, () => 1)
    expect([1, 2, 3, 4].map(longest)).toEqual([500, 1000, 2000, 4000])
    expect(longest(30)).toBe(60_000)
    expect(pauseBeforeRetry(failed('timeout'), 4, 100, () => 0)).toBe(0)
    expect(pauseBeforeRetry(failed('timeout'), 4, 100, () => 0.25)).toBe(1000)
  })

  test('is what the provider asks for, up to 15 minutes, and a little more', () => {
    expect(pauseBeforeRetry(failed('rate_limited', 2000), 1, 5, () => 0)).toBe(2000)
    expect(pauseBeforeRetry(failed('rate_limited', 2000), 1, 5, () => 1)).toBe(2250)
    expect(pauseBeforeRetry(failed('rate_limited', 86_400_000), 1, 5, () => 0)).toBe(900_000)
    expect(pauseBeforeRetry(failed('rate_limited', 2 ** 31 - 1), 1, 5, () => 1)).toBe(900_250)
  })

  test('ends with the last attempt', () => {
    expect(pauseBeforeRetry(failed('timeout'), 4, 5, () => 0.5)).not.toBeNull()
    expect(pauseBeforeRetry(failed('timeout'), 5, 5, () => 0.5)).toBeNull()
    expect(pauseBeforeRetry(failed('rate_limited', 10), 1, 1, () => 0.5)).toBeNull()
  })
})

test('429, 503 and 529 mean overload', () => {
  expect(isThrottled({ code: 'rate_limited', httpStatus: 429 })).toBe(true)
  expect(isThrottled({ code: 'provider_failure', httpStatus: 503 })).toBe(true)
  expect(isThrottled({ code: 'provider_failure', httpStatus: 529 })).toBe(true)
  expect(isThrottled({ code: 'provider_failure', httpStatus: 500 })).toBe(false)
  expect(isThrottled({ code: 'unreachable', httpStatus: null })).toBe(false)
})
