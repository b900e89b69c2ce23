import { describe, expect, test } from 'vitest'
import { judgeDifference, judgeDrift } from '../../../src/service/tuning/judge-occurrence.ts'
import { monthOf, nextSchedule } from '../../../src/service/tuning/next-schedule.ts'

describe('the verdict of an event', () => {
  test.each([
    ['improvement', 0.001, 0.2],
    ['ok', 0, 0.1],
    ['ok', -0.049, -0.01],
    ['regression', -0.2, -0.001],
    ['regression', -0.05, -0.01],
    ['inconclusive', -0.2, 0],
    ['inconclusive', -0.05, 0.3],
  ])('is %s between %d and %d at a margin of 0.05', (verdict, low, high) => {
    expect(judgeDifference({ low, high }, 0.05, '').verdict).toBe(verdict)
  })

  test('is inconclusive without an interval, and says why', () => {
    expect(judgeDifference(null, 0.05, 'Nothing was scored.')).toEqual({ verdict: 'inconclusive', reason: 'Nothing was scored.' })
  })
})

describe('the verdict of a workload', () => {
  const calm = { alarms: [], scores: 30, sent: 30, known: 0, floor: 0.7 }
  test.each([
    ['ok', calm],
    ['inconclusive', { ...calm, scores: 29 }],
    ['inconclusive', { ...calm, floor: null }],
    ['inconclusive', { ...calm, floor: 0 }],
    ['regression', { ...calm, scores: 3, alarms: [{ kind: 'improvement' as const }, { kind: 'regression' as const }] }],
    ['improvement', { ...calm, alarms: [{ kind: 'improvement' as const }] }],
    [null, { ...calm, sent: 0, scores: 0 }],
  ])('is %s', (verdict, found) => {
    expect(judgeDrift(found).verdict).toBe(verdict)
  })
})

describe('a schedule', () => {
  const anchor = '2026-01-31T10:20:30.000Z'
  test.each([
    ['hour', anchor, '2026-01-31T11:20:30.000Z'],
    ['hour', '2026-01-31T11:20:29.999Z', '2026-01-31T11:20:30.000Z'],
    ['hour', '2026-01-31T11:20:30.000Z', '2026-01-31T12:20:30.000Z'],
    ['day', '2026-03-29T03:00:00.000Z', '2026-03-29T10:20:30.000Z'],
    ['week', '2026-05-01T00:00:00.000Z', '2026-05-02T10:20:30.000Z'],
    // Created by a clock that was ahead and has been set back.
    ['day', '2025-01-01T00:00:00.000Z', '2025-01-01T10:20:30.000Z'],
  ] as const)('by the %s is next due after %s at %s', (schedule, now, next) => {
    expect(nextSchedule(anchor, schedule, now)).toBe(next)
  })

  test('counts spending by the month of UTC', () => {
    expect(monthOf('2026-11-30T23:59:59.999Z')).toBe('2026-11')
    expect(monthOf('2026-12-01T00:00:00.000Z')).toBe('2026-12')
  })
})
