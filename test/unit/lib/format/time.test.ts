import { describe, expect, test } from 'vitest'
import { formatDuration, formatRelativeTime, formatTimestamp } from '../../../../src/lib/format/time.ts'

describe('formatDuration', () => {
  test.each([
    [0, '0 ms'],
    [840.4, '840 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [9949, '9.9 s'],
    [9951, '10 s'],
    [42_400, '42 s'],
    [59_900, '1 min'],
    [125_000, '2 min 5 s'],
    [3_599_600, '1 h'],
    [11_520_000, '3 h 12 min'],
    [86_399_000, '1 d'],
    [187_200_000, '2 d 4 h'],
    [-1500, '−1.5 s'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('%s ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text)
  })
})

describe('formatRelativeTime', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z')
  test.each([
    ['2026-11-20T11:59:30.000Z', 'just now'],
    ['2026-11-20T12:00:30.000Z', 'just now'],
    ['2026-11-20T11:59:10.000Z', '1 minute ago'],
    ['2026-11-20T11:55:00.000Z', '5 minutes ago'],
    ['2026-11-20T12:05:00.000Z', 'in 5 minutes'],
    ['2026-11-20T11:00:20.000Z', '1 hour ago'],
    ['2026-11-20T09:00:00.000Z', '3 hours ago'],
    ['2026-11-18T12:00:00.000Z', '2 days ago'],
    ['2026-09-01T12:00:00.000Z', '2026-09-01'],
    ['yesterday', '–'],
  ])('%s is %s', (timestamp, text) => {
    expect(formatRelativeTime(timestamp, now)).toBe(text)
  })
})

test('formatTimestamp is UTC for input of any zone', () => {
  expect(formatTimestamp('2026-11-20T09:30:00.123Z')).toBe('2026-11-20 09:30:00 UTC')
  expect(formatTimestamp('2026-11-20T09:30:00+02:00')).toBe('2026-11-20 07:30:00 UTC')
  expect(formatTimestamp(null)).toBe('–')
  expect(formatTimestamp('soon')).toBe('–')
})
