import { expect, test } from 'vitest'
import { occurrenceReason } from '../../../../src/renderer/schedules/schedule-words.ts'

const due_at = '2026-11-30T03:00:00.000Z'

test.each([
  ['that began in time', '2026-11-30T03:00:05.000Z', null, null],
  [
    'that makes up for missed times',
    '2026-11-30T09:10:00.000Z',
    null,
    'One run for every time that was missed until 2026-11-30 09:10:00 UTC, while the service was off.',
  ],
  ['that was skipped', '2026-11-30T09:10:00.000Z', 'The monthly limit is reached.', 'The monthly limit is reached.'],
])('says of a run %s why', (_, created_at, message, expected) => {
  expect(occurrenceReason({ due_at, created_at, message })).toBe(expected)
})
