import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { atIntervals, closeInReverse } from '../../../src/service/background.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('parts close in reverse, one after the other, and one that fails keeps no other from it', async () => {
  const closed: string[] = []
  const part = (name: string) => ({
    close: async () => {
      await Promise.resolve()
      closed.push(name)
    },
  })
  const failing = {
    close: () => {
      throw new Error('full disk')
    },
  }
  const errors: unknown[] = []
  await closeInReverse([part('database'), failing, { start: () => undefined }, part('runs'), part('jobs')], {
    error: (facts: unknown) => errors.push(facts),
  })
  expect(closed).toEqual(['jobs', 'runs', 'database'])
  expect(errors).toEqual([{ err: new Error('full disk') }])
})

test('work at intervals begins with the start, survives what it throws, and ends with the close', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const sink = new Writable({
    write: (line, _, done) => {
      lines.push(String(line))
      done()
    },
  })
  let times = 0
  const work = () => {
    times++
    if (times === 1) throw new Error('full disk')
  }
  const looking = atIntervals(pino(sink), 1_000, work, 'looking failed')
  vi.advanceTimersByTime(5_000)
  expect(times).toBe(0)
  looking.start()
  vi.advanceTimersByTime(3_000)
  expect(times).toBe(3)
  expect(lines.map(line => JSON.parse(line))).toMatchObject([{ msg: 'looking failed', err: { message: 'full disk' } }])
  looking.close()
  vi.advanceTimersByTime(5_000)
  expect(times).toBe(3)
})
