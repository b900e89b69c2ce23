import { expect, test } from 'vitest'
import { occurrenceReason } from '../../../../src/renderer/schedules/schedule-words.ts'

const created_at = '2026-11-30T09:10:00.000Z'
const at = '2026-11-30 09:10:00 UTC.'

test.each([
  ['that began in time', 0, null, null],
  ['that makes up for one time', 1, null, `Started late, at ${at}`],
  ['that makes up for many times', 1_234, null, `Replaces 1,234 runs missed until ${at}`],
  ['that makes up for more than are counted', 10_000, null, `Replaces 10,000 or more runs missed until ${at}`],
  ['that was skipped', 7, 'The monthly limit is reached.', 'The monthly limit is reached.'],
])('says of a run %s why', (_, missed_times, message, expected) => {
  expect(occurrenceReason({ missed_times, created_at, message })).toBe(expected)
})
