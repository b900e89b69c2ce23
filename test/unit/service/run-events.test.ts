import { beforeEach, expect, test, vi } from 'vitest'
import type { RunEvent } from '../../../src/contract/runs/runs.schemas.ts'
import { createLiveRuns } from '../../../src/service/runs/live-runs.ts'
import { createRunBroadcast } from '../../../src/service/runs/run-events.ts'
import { runFixture } from '../renderer/runs/fixtures.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function watched() {
  const state = { run: runFixture({ status: 'running', result_version: null }), reads: 0 }
  const live = createLiveRuns(() => Date.now())
  const broadcast = createRunBroadcast({
    read: () => {
      state.reads++
      return state.run
    },
    live,
    now: () => new Date(),
    sleep: (ms, signal) =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, ms)
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      }),
  })
  const watch = async (events: RunEvent[], signal = new AbortController().signal) => {
    for await (const event of broadcast.follow(7, signal)) events.push(event)
  }
  return { state, live, watch }
}

test('two hundred watchers of a run cost as many reads of it as one', async () => {
  const { state, live, watch } = watched()
  const seen = Array.from({ length: 200 }, (): RunEvent[] => [])
  const all = Promise.all(seen.map(events => watch(events)))
  for (let i = 0; i < 100; i++) {
    live.announce(7)
    await vi.advanceTimersByTimeAsync(20)
  }
  // Two seconds of changes, told every second as so many watch.
  expect(state.reads).toBeLessThanOrEqual(4)
  for (const events of seen) expect(events.length).toBeGreaterThan(2)
  // The same object, so that it is written out once.
  expect(seen[1]?.[0]).toBe(seen[0]?.[0])

  state.run = runFixture({ status: 'complete' })
  live.announce(7)
  await vi.advanceTimersByTimeAsync(2000)
  await all
  for (const events of seen) expect(events.at(-1)).toMatchObject({ type: 'end', status: 'complete' })
})

test('one watcher is told four times a second', async () => {
  const { state, live, watch } = watched()
  const events: RunEvent[] = []
  const done = watch(events)
  for (let i = 0; i < 100; i++) {
    live.announce(7)
    await vi.advanceTimersByTimeAsync(20)
  }
  expect(events.length).toBeGreaterThanOrEqual(7)
  expect(events.length).toBeLessThanOrEqual(9)
  state.run = runFixture({ status: 'complete' })
  live.announce(7)
  await vi.advanceTimersByTimeAsync(500)
  await done
})

test('a change while a watcher is told of the one before is not missed', async () => {
  const { state, live, watch } = watched()
  const events: RunEvent[] = []
  const done = watch(events)
  await vi.advanceTimersByTimeAsync(0)
  // Between two looks of the watcher.
  live.announce(7)
  await vi.advanceTimersByTimeAsync(100)
  state.run = runFixture({ status: 'complete' })
  live.announce(7)
  await vi.advanceTimersByTimeAsync(600)
  await done
  expect(events.at(-1)).toMatchObject({ type: 'end' })
})
