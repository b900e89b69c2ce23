import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../../../src/contract/runs/runs.schemas.ts'
import { addEvent, type RunEvents } from '../../../../src/renderer/api/live-events.ts'

const nothing: RunEvents = { progress: null, scores: [], end: null, connection: 'connecting' }

function scored(n: number): RunEvent {
  return { type: 'scores', profiles: [{ profile_id: 'p', metric: 'm', n, mean: 0.5 }], at: '2026-11-20T09:30:00.000Z' }
}

describe('events of a run', () => {
  test('are live once one has arrived, and ended with the last', () => {
    const live = addEvent(nothing, scored(1))
    expect(live.connection).toBe('live')
    expect(addEvent(live, { type: 'end', status: 'complete', result_version: 1 })).toMatchObject({
      connection: 'ended',
      end: { result_version: 1 },
      scores: [{ type: 'scores' }],
    })
  })

  test('keep the curve short and its newest point exact, however long the run', () => {
    let events = nothing
    for (let n = 1; n <= 5_000; n++) events = addEvent(events, scored(n))
    expect(events.scores.length).toBeLessThanOrEqual(600)
    const counts = events.scores.map(event => event.profiles[0]?.n ?? 0)
    expect(counts.at(-1)).toBe(5_000)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  })
})
