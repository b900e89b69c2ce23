import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startTimeLimit } from '../../../../src/engine/execution/scheduler/time-limit.ts'
import { portsWith } from './fixtures.ts'
import { memoryStore } from './memory-store.ts'

const never = new AbortController().signal
let asleep = 0
/** The monotonic clock jumps by what the machine slept; timers do not know of it. */
const ports = { ...portsWith(memoryStore(0)), monotonic: () => performance.now() + asleep }

beforeEach(() => {
  vi.useFakeTimers()
  asleep = 0
  return () => vi.useRealTimers()
})

describe('a time limit', () => {
  test('fires when its time is over', async () => {
    const limit = startTimeLimit(2500, ports, never)
    await vi.advanceTimersByTimeAsync(2499)
    expect(limit.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(limit.signal.aborted).toBe(true)
    expect(limit.over()).toBe(true)
  })

  test('fires with the other signal, and then says that its own time is not over', () => {
    const other = new AbortController()
    const limit = startTimeLimit(1000, ports, other.signal)
    other.abort()
    expect(limit.signal.aborted).toBe(true)
    expect(limit.over()).toBe(false)
    limit.end()
  })

  test('does not fire once it has ended', async () => {
    const limit = startTimeLimit(1000, ports, never)
    limit.end()
    await vi.advanceTimersByTimeAsync(5000)
    expect(limit.over()).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not count the time for which the machine slept', async () => {
    const limit = startTimeLimit(3000, ports, never)
    await vi.advanceTimersByTimeAsync(1500)
    asleep += 3_600_000
    await vi.advanceTimersByTimeAsync(1499)
    expect(limit.over()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(limit.over()).toBe(true)
  })

  test('is not changed by a clock that is set', async () => {
    const limit = startTimeLimit(2000, ports, never)
    vi.setSystemTime(Date.now() + 86_400_000)
    await vi.advanceTimersByTimeAsync(1999)
    expect(limit.over()).toBe(false)
    limit.end()
  })

  test('is absent by default', () => {
    const limit = startTimeLimit(null, ports, never)
    expect(limit.signal).toBe(never)
    expect(limit.over()).toBe(false)
  })
})
