import { expect, test } from 'vitest'
import { isCacheable } from '../../../../src/engine/execution/scheduler/cacheable.ts'
import { answered } from './fixtures.ts'

test.each([['stop'], ['end_turn'], ['STOP'], [null]])('an answer that ended with %s is cached', finishReason => {
  expect(isCacheable(answered('13', { finishReason }))).toBe(true)
})

test.each([
  ['empty', answered(' \n', { finishReason: 'stop' })],
  ['cut off', answered('1', { finishReason: 'length' })],
  ['filtered', answered('1', { finishReason: 'content_filter' })],
  ['refused', answered('No.', { finishReason: 'stop', refused: true })],
  ['broken off', answered('The ans', { finishReason: 'error' })],
  ['ended for a reason that nobody knows', answered('13', { finishReason: 'lunch_break' })],
])('an answer that is %s is not cached', (_, answer) => {
  expect(isCacheable(answer)).toBe(false)
})
