import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createReadTurns, type ReadTurns } from '../../../src/service/http/read-turns.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'performance'] })
  return () => vi.useRealTimers()
})

/** Milliseconds that reads have worked, beside what the fake clock waits. */
let worked = 0
const turns = () => createReadTurns(() => performance.now() + worked)

/** Reads that each take 4 ms of the loop; the times at which they began. */
function reads(gate: ReadTurns, count: number): number[] {
  const began: number[] = []
  for (let i = 0; i < count; i++)
    void gate.wait().then(() => {
      began.push(performance.now())
      worked += 4
    })
  return began
}

describe('reads', () => {
  test('begin immediately while there is only one', async () => {
    const gate = turns()
    let isThere = false
    void gate.wait().then(() => {
      isThere = true
    })
    await Promise.resolve()
    expect(isThere).toBe(true)
  })

  test('take a turn of the loop each', async () => {
    const gate = turns()
    let done = 0
    for (let i = 0; i < 3; i++) void gate.wait().then(() => done++)
    await Promise.resolve()
    expect(done).toBe(1)
    await vi.advanceTimersToNextTimerAsync()
    expect(done).toBe(2)
    await vi.advanceTimersToNextTimerAsync()
    expect(done).toBe(3)
  })

  test('leave runs twice the time that they take, while one is executed', async () => {
    const gate = turns()
    const end = gate.yieldToRun()
    const began = reads(gate, 4)
    await vi.advanceTimersByTimeAsync(100)
    const gaps = began.slice(1).map((at, i) => at - (began[i] ?? 0))
    expect(gaps).toHaveLength(3)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
    end()
    const after = reads(gate, 3)
    await vi.advanceTimersByTimeAsync(100)
    expect(Math.max(...after.slice(1).map((at, i) => at - (after[i] ?? 0)))).toBeLessThan(8)
  })
})
