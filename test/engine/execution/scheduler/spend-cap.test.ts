import { describe, expect, test } from 'vitest'
import { createSpendCap } from '../../../../src/engine/execution/scheduler/spend-cap.ts'

/** What has been decided by now. */
async function now<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  return Promise.race([promise, new Promise<'waiting'>(resolve => setImmediate(() => resolve('waiting')))])
}

describe('a cap', () => {
  test('lets calls through while even their worst case fits, and makes others wait for what is in flight', async () => {
    const cap = createSpendCap(100n, 10n)
    expect(await cap.reserve(40n)).toBe(true)
    expect(await cap.reserve(40n)).toBe(true)
    const third = cap.reserve(40n)
    expect(await now(third)).toBe('waiting')
    cap.settle(40n, 5n)
    expect(await third).toBe(true)
    expect(cap.spent()).toBe(15n)
  })

  test('refuses what can never fit, once nothing is in flight that could leave room', async () => {
    const cap = createSpendCap(100n, 0n)
    expect(await cap.reserve(60n)).toBe(true)
    const waiting = [cap.reserve(60n), cap.reserve(60n)]
    cap.settle(60n, 50n)
    expect(await Promise.all(waiting)).toEqual([false, false])
    expect(await cap.reserve(50n)).toBe(true)
  })

  test('is never exceeded by calls within their worst case', async () => {
    const cap = createSpendCap(1000n, 0n)
    for (let i = 0n; ; i++) {
      const worst = 30n + (i % 5n) * 10n
      if (!(await cap.reserve(worst))) break
      cap.settle(worst, worst - (i % 3n))
    }
    expect(cap.spent()).toBeGreaterThan(920n)
    expect(cap.spent()).toBeLessThanOrEqual(1000n)
  })

  test('reserves by the largest excess that a bill has shown', async () => {
    const cap = createSpendCap(100n, 0n)
    expect(await cap.reserve(10n)).toBe(true)
    cap.settle(10n, 25n)
    expect(await cap.reserve(10n)).toBe(true)
    expect(await cap.reserve(10n)).toBe(true)
    expect(await cap.reserve(10n)).toBe(true)
    expect(await now(cap.reserve(10n))).toBe('waiting')
    expect(cap.left()).toBe(0n)
  })

  test('admits several calls with care until a first bill is seen', async () => {
    const cap = createSpendCap(100n, 0n, 8n)
    expect(await cap.reserve(10n)).toBe(true)
    const second = cap.reserve(10n)
    expect(await now(second)).toBe('waiting')
    cap.settle(10n, 10n)
    expect(await second).toBe(true)
    expect(await cap.reserve(10n)).toBe(true)
  })

  test('can be raised while calls wait, and taken away', async () => {
    const cap = createSpendCap(10n, 0n)
    expect(await cap.reserve(10n)).toBe(true)
    const waiting = cap.reserve(10n)
    cap.raise(20n)
    expect(await waiting).toBe(true)
    cap.raise(null)
    expect(await cap.reserve(1_000_000n)).toBe(true)
  })
})
