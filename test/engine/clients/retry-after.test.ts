import { expect, test } from 'vitest'
import { parseRetryAfter } from '../../../src/engine/clients/http/retry-after.ts'

const now = Date.parse('2026-11-20T09:30:00Z')

test.each([
  ['seconds', { 'retry-after': '2' }, 2_000],
  ['no seconds', { 'retry-after': '0' }, 0],
  ['half seconds', { 'retry-after': '1.5' }, 1_500],
  ['blanks around', { 'retry-after': ' 3 ' }, 3_000],
  ['exact milliseconds before seconds', { 'retry-after-ms': '120.5', 'retry-after': '1' }, 120.5],
  ['seconds where milliseconds are nonsense', { 'retry-after-ms': 'x', 'retry-after': '1' }, 1_000],
  ['a date', { 'retry-after': 'Fri, 20 Nov 2026 09:30:03 GMT' }, 3_000],
  ['a date by the server’s clock', { 'retry-after': 'Fri, 20 Nov 2026 09:30:03 GMT', date: 'Fri, 20 Nov 2026 09:29:03 GMT' }, 60_000],
  ['a date gone by', { 'retry-after': 'Fri, 20 Nov 2020 09:30:03 GMT' }, 0],
  ['longer than a timer can wait', { 'retry-after': '99999999999' }, 2_147_483_647],
  ['a date beyond any timer', { 'retry-after': 'Fri, 20 Nov 2099 09:30:03 GMT' }, 2_147_483_647],
  ['seconds with their unit', { 'retry-after': '2s' }, 2_000],
  ['a duration', { 'retry-after': '1m30s' }, 90_000],
  ['an ISO date', { 'retry-after': '2026-11-20T09:30:04.500Z' }, 4_500],
  ['a moment in seconds', { 'retry-after': String(now / 1000 + 5) }, 5_000],
  ['a word', { 'retry-after': 'soon' }, null],
  ['a negative number', { 'retry-after': '-1' }, null],
  ['a number that only looks like one', { 'retry-after': '0x10' }, null],
  ['a date that no calendar has', { 'retry-after': 'Fri, 99 Nov 2026 09:30:03 GMT' }, null],
  ['a date of another form', { 'retry-after': '2026-11-20' }, null],
  ['nothing', {}, null],
])('%s', (_, headers, expected) => {
  expect(parseRetryAfter(headers, now)).toBe(expected)
})
