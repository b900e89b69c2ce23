import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createReadTurns, type ReadTurns } from '../../../src/service/http/read-turns.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'performance'] })
  worked = 0
  return () => vi.useRealTimers()
})

/** Milliseconds that reads have worked, beside what the fake clock waits. */
let worked = 0
const now = () => performance.now() + worked

/** Reads that each take 4 ms of the loop; the times at which they began. */
function reads(gate: ReadTurns, count: number): number[] {
  const began: number[] = []
  for (let i = 0; i < count; i++)
    void gate.wait('caller').then(() => {
      began.push(now())
      worked += 4
    })
  return began
}

describe('reads', () => {
  test('begin at once while there is one of them', async () => {
    const gate = createReadTurns(now, now)
    let isThere = false
    void gate.wait('caller').then(() => {
      isThere = true
    })
    await Promise.resolve()
    expect(isThere).toBe(true)
  })

  test('let the loop turn after a few milliseconds of them', async () => {
    vi.useRealTimers()
    const gate = createReadTurns(
      () => worked,
      () => worked,
    )
    let begun = 0
    for (let i = 0; i < 5; i++)
      void gate.wait('caller').then(() => {
        begun++
        worked += 4
      })
    const turns: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      await turnOfLoop()
      turns.push(begun)
    }
    expect(turns).toEqual([2, 4, 5])
  })

  test('have two fifths of the time beside a run, and all of it afterwards', async () => {
    const gate = createReadTurns(now, now)
    const end = gate.yieldToRun()
    const from = now()
    const began = reads(gate, 100)
    while (began.length < 100) {
      await vi.advanceTimersByTimeAsync(1)
      await turnOfLoop()
      // Of what they saved up before, and the one that is at work.
      expect(worked).toBeLessThanOrEqual(0.4 * (now() - from) + 40 + 4)
    }
    expect(now() - from).toBeLessThan(1_000)
    end()
    const since = now()
    const after = reads(gate, 20)
    await vi.advanceTimersByTimeAsync(400)
    await turnOfLoop()
    expect((after.at(-1) ?? Number.POSITIVE_INFINITY) - since).toBeLessThan(300)
  })

  test('of one caller are not delayed by hundreds of another', async () => {
    const gate = createReadTurns(now, now)
    gate.yieldToRun()
    const many = reads(gate, 100)
    let before = -1
    void gate.wait('other').then(() => {
      before = many.length
    })
    while (before < 0) {
      await vi.advanceTimersByTimeAsync(1)
      await turnOfLoop()
    }
    expect(before).toBeLessThan(3)
  })

  test('of a client that has left are not begun', async () => {
    const gate = createReadTurns(now, now)
    const [first, second] = [new AbortController(), new AbortController()]
    const begun: string[] = []
    const read = (name: string, gone: AbortController) =>
      gate.wait('caller', gone.signal).then(
        () => begun.push(name),
        (error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }),
      )
    const all = [read('first', first), read('left', second), read('last', first)]
    second.abort()
    await Promise.all(all)
    expect(begun).toEqual(['first', 'last'])
  })

  test('begin at once beside a run as long as there are few', async () => {
    const gate = createReadTurns(now, now)
    gate.yieldToRun()
    for (let i = 0; i < 20; i++) {
      await vi.advanceTimersByTimeAsync(16)
      const at = now()
      const began = reads(gate, 1)
      await turnOfLoop()
      expect(began).toEqual([at])
    }
  })
})
