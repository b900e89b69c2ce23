import { describe, expect, test } from 'vitest'
import { createBucket } from '../../../../src/engine/execution/scheduler/bucket.ts'

describe('a bucket', () => {
  test('is used up by what is taken and refilled by time, up to its capacity', () => {
    let now = 0
    const bucket = createBucket({ level: 2, capacity: 10, perMs: 0.001 }, () => now)
    bucket.take(2)
    expect(bucket.level()).toBe(0)
    expect(bucket.msUntil(1)).toBe(1000)
    now = 1000
    expect(bucket.level()).toBeCloseTo(1)
    expect(bucket.msUntil(1)).toBe(0)
    now = 100_000
    expect(bucket.level()).toBe(10)
  })

  test('holds a debt, and keeps what it had above its capacity', () => {
    let now = 0
    const bucket = createBucket({ level: 20, capacity: 10, perMs: 1 }, () => now)
    now = 5
    expect(bucket.level()).toBe(20)
    bucket.take(30)
    expect(bucket.level()).toBe(-10)
    expect(bucket.msUntil(0)).toBe(10)
  })

  test('says so when it will never hold as much', () => {
    expect(createBucket({ level: 0, capacity: 10, perMs: 0 }, () => 0).msUntil(1)).toBe(Number.POSITIVE_INFINITY)
    expect(createBucket({ level: 0, capacity: 10, perMs: 1 }, () => 0).msUntil(11)).toBe(Number.POSITIVE_INFINITY)
  })
})
