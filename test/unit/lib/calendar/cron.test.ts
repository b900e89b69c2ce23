import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countTimes, mostCounted, nextTime, parseCron } from '../../../../src/lib/calendar/cron.ts'

const next = (cron: string, zone: string, after: string) => {
  const at = nextTime(parseCron(cron), zone, Date.parse(after))
  return at === null ? null : new Date(at).toISOString()
}

describe('the next time of a calendar', () => {
  test.each([
    ['every hour', '0 * * * *', 'UTC', '2026-11-28T10:00:00Z', '2026-11-28T11:00:00.000Z'],
    ['a step', '*/20 * * * *', 'UTC', '2026-11-28T10:05:00Z', '2026-11-28T10:20:00.000Z'],
    ['working days', '30 6 * * mon-fri', 'Europe/Berlin', '2026-11-27T08:00:00Z', '2026-11-30T05:30:00.000Z'],
    ['Sunday as 7', '0 0 * * 7', 'UTC', '2026-11-28T10:00:00Z', '2026-11-29T00:00:00.000Z'],
    ['either day field', '0 0 1 * mon', 'UTC', '2026-11-28T10:00:00Z', '2026-11-30T00:00:00.000Z'],
    ['a leap day', '0 12 29 2 *', 'UTC', '2026-11-28T10:00:00Z', '2028-02-29T12:00:00.000Z'],
    ['a zone a day ahead', '0 9 * * *', 'Pacific/Kiritimati', '2026-11-28T18:59:00Z', '2026-11-28T19:00:00.000Z'],
    ['a zone of half an hour', '0 9 * * *', 'Asia/Kolkata', '2026-11-28T03:30:00Z', '2026-11-29T03:30:00.000Z'],
    ['before summer time begins', '30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', '2026-03-28T01:30:00.000Z'],
    ['a time that summer time leaves out', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['a time that comes twice, at first', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['a time that comes twice, not again', '30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  ])('%s', (_name, cron, zone, after, expected) => {
    expect(next(cron, zone, after)).toBe(expected)
  })

  test('is none for a day that never comes', () => {
    expect(next('0 0 30 2 *', 'UTC', '2026-11-28T10:00:00Z')).toBeNull()
  })

  test('goes forward through a year of changes of time, never twice the same', () => {
    const cron = parseCron('15 2,3 * * *')
    let at = Date.parse('2026-01-01T00:00:00Z')
    const end = Date.parse('2027-01-01T00:00:00Z')
    let count = 0
    for (;;) {
      const following = nextTime(cron, 'America/New_York', at)
      if (following === null || following >= end) break
      expect(following).toBeGreaterThan(at)
      at = following
      count++
    }
    expect(count).toBe(2 * 365)
  })
})

describe('how often a calendar came', () => {
  test('is as often as one time follows another, over changes of time and for any calendar', () => {
    const cron = fc.constantFrom('*/15 * * * *', '0 3 * * *', '30 2 * * *', '0,30 0,1,2,23 * * *', '0 6 1 * mon')
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia')
    const hour = 3_600_000
    fc.assert(
      fc.property(cron, zone, fc.integer({ min: 0, max: 400 * 24 }), fc.integer({ min: 0, max: 7 * 24 }), (text, name, at, hours) => {
        const from = Date.parse('2026-01-01T00:00:00Z') + at * hour
        const to = from + hours * hour
        const calendar = parseCron(text)
        let count = 0
        for (let time = nextTime(calendar, name, from - 1); time !== null && time <= to; time = nextTime(calendar, name, time)) count++
        expect(countTimes(calendar, name, from, to)).toBe(count)
      }),
      { numRuns: 20 },
    )
  })

  test.each([
    ['a hundred days of quarters of an hour', '*/15 * * * *', '2026-11-28T10:00:00Z', '2027-03-08T09:59:00Z', 9_600],
    ['more than are counted', '*/15 * * * *', '2026-11-28T10:00:00Z', '2027-11-28T10:00:00Z', mostCounted],
    ['a century', '0 0 1 1 *', '2026-11-28T10:00:00Z', '2126-11-28T10:00:00Z', 100],
    ['both ends', '0 * * * *', '2026-11-28T10:00:00Z', '2026-11-28T12:00:00Z', 3],
    ['no time', '0 * * * *', '2026-11-28T10:01:00Z', '2026-11-28T10:59:00Z', 0],
  ])('%s', (_name, cron, from, to, expected) => {
    expect(countTimes(parseCron(cron), 'Europe/Berlin', Date.parse(from), Date.parse(to))).toBe(expected)
  })
})

describe('a calendar that cannot be read names the field', () => {
  test.each([
    ['0 0 * *', 'has 4 fields'],
    ['60 * * * *', '"60" is not a minute'],
    ['0 24 * * *', '"24" is not an hour'],
    ['-1 * * * *', '"-1" is not a minute'],
    ['0 0 0 * *', '"0" is not a day of month'],
    ['0 0 * foo *', '"foo" is not a month'],
    ['0 0 * * 8', '"8" is not a day of week'],
    ['5-1 * * * *', '"5-1" is not a minute'],
    ['*/0 * * * *', '"*/0" is not a minute'],
    ['1,,2 * * * *', '"1,,2" is not a minute'],
    ['5- * * * *', '"5-" is not a minute'],
  ])('%s', (text, message) => {
    expect(() => parseCron(text)).toThrow(message)
  })
})
