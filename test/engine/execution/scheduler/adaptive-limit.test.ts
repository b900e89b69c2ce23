import { beforeEach, describe, expect, test } from 'vitest'
import { type AdaptiveLimit, createAdaptiveLimit, createFixedLimit } from '../../../../src/engine/execution/scheduler/adaptive-limit.ts'

let now = 0
beforeEach(() => {
  now = 0
})

/** A full round of answers at the present limit. */
function round(limit: AdaptiveLimit, latencyMs = 100): void {
  for (let left = Math.max(10, limit.current()); left > 0; left--) limit.succeeded(latencyMs, true)
}

describe('an adaptive limit', () => {
  test('begins at eight, or at the most allowed, and doubles with each round of successes', () => {
    expect(createAdaptiveLimit(3, () => now).current()).toBe(3)
    const limit = createAdaptiveLimit(64, () => now)
    expect(limit.current()).toBe(8)
    for (let i = 0; i < 8; i++) limit.succeeded(100, true)
    expect(limit.current()).toBe(16)
    for (let i = 0; i < 16; i++) limit.succeeded(100, true)
    expect(limit.current()).toBe(32)
    for (let i = 0; i < 500; i++) limit.succeeded(100, true)
    expect(limit.current()).toBe(64)
  })

  test('halves at a complaint, counting one a second, and never goes below one', () => {
    const limit = createAdaptiveLimit(64, () => now)
    limit.throttled()
    expect(limit.current()).toBe(4)
    limit.throttled()
    now = 999
    limit.throttled()
    expect(limit.current()).toBe(4)
    now = 1000
    limit.throttled()
    expect(limit.current()).toBe(2)
    for (now = 2000; now < 9000; now += 1000) limit.throttled()
    expect(limit.current()).toBe(1)
  })

  test('grows by one a round after the first complaint', () => {
    const limit = createAdaptiveLimit(64, () => now)
    limit.throttled()
    for (let i = 0; i < 4; i++) limit.succeeded(100, true)
    expect(limit.current()).toBe(5)
    for (let i = 0; i < 5; i++) limit.succeeded(100, true)
    expect(limit.current()).toBe(6)
  })

  test('does not grow while it is not used', () => {
    const limit = createAdaptiveLimit(64, () => now)
    for (let i = 0; i < 100; i++) limit.succeeded(100, false)
    expect(limit.current()).toBe(8)
  })

  test('is lowered by a quarter when answers take more than twice as long as they did', () => {
    const limit = createAdaptiveLimit(8, () => now)
    round(limit, 1000)
    round(limit, 1000)
    expect(limit.current()).toBe(8)
    round(limit, 3000)
    expect(limit.current()).toBe(6)
    expect(limit.slowed()).toBe(1)
  })

  test('does not take the jitter of short calls for slowness', () => {
    const limit = createAdaptiveLimit(8, () => now)
    round(limit, 5)
    round(limit, 5)
    round(limit, 400)
    expect(limit.current()).toBe(8)
    expect(limit.slowed()).toBe(0)
  })

  test('gets used to answers that take longer for good', () => {
    const limit = createAdaptiveLimit(16, () => now)
    round(limit, 1000)
    for (let i = 0; i < 200; i++) round(limit, 4000)
    const slowed = limit.slowed()
    for (let i = 0; i < 20; i++) round(limit, 4000)
    expect(limit.slowed()).toBe(slowed)
    expect(limit.current()).toBe(16)
  })
})

test('a fixed limit never changes', () => {
  const limit = createFixedLimit(5)
  limit.throttled()
  round(limit, 60_000)
  expect(limit.current()).toBe(5)
})
