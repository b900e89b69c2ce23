import { expect, test } from 'vitest'
import { formatLocalDistance, formatLocalTime } from '../../../src/renderer/ui/values/local-time.ts'

const at = '2026-03-01T23:30:00.000Z'
const day = 24 * 60 * 60_000
const german = { locale: 'de-DE', timeZone: 'Europe/Berlin' }
const american = { locale: 'en-US', timeZone: 'America/New_York' }

test.each([
  ['German', german, /^02\.03\.2026, 00:30:00 MEZ$/],
  ['American', american, /^Mar 1, 2026, 6:30:00\sPM EST$/],
])('writes a moment as a %s browser does, in its time zone', (_, place, written) => {
  expect(formatLocalTime(at, place)).toMatch(written)
})

test('says how long ago something was, and after 30 days the date where the reader is', () => {
  const then = Date.parse(at)
  expect(formatLocalDistance(at, then + 2 * day, german)).toBe('2 days ago')
  expect(formatLocalDistance(at, then + 31 * day, german)).toBe('02.03.2026')
  expect(formatLocalDistance(at, then + 31 * day, american)).toBe('Mar 1, 2026')
})
