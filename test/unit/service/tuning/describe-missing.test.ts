import { expect, test } from 'vitest'
import { describeMissing } from '../../../../src/service/tuning/describe-missing.ts'

test('names failed calls in words, not by their codes', () => {
  const failures = () => [
    { code: 'bad_request', count: 3 },
    { code: 'rate_limited', count: 1 },
  ]
  expect(describeMissing({ stopCode: null, stopReason: null, failures })).toBe(' Failed calls: Request rejected (3), Rate limited (1).')
})

test('says why the run stopped, unless the race stopped it', () => {
  const state = { stopReason: 'Spending limit reached.', failures: () => [] }
  expect(describeMissing({ ...state, stopCode: 'cap_reached' })).toBe(' Spending limit reached.')
  expect(describeMissing({ ...state, stopCode: 'decided_early' })).toBe('')
  expect(describeMissing(null)).toBe(' Its run was deleted.')
})
