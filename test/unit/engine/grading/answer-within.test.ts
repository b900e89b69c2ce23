import { expect, test } from 'vitest'
import { answerWithin, placedWithin } from '../../../../src/engine/grading/answer-within.ts'

test('an answer behind its reasoning is graded alone and found again in the whole text', () => {
  const text = '<think>99?</think>\n\n14'
  const within = answerWithin(text)
  expect(within.answer).toBe('14')
  const span = placedWithin({ answerSpan: { start: 0, end: 2 } }, within).answerSpan
  expect(text.slice(span?.start, span?.end)).toBe('14')
})

test('an answer in several pieces has no place in the whole text, and one without reasoning keeps its own', () => {
  const pieces = answerWithin('<think>a</think>One <think>b</think>two')
  expect(pieces).toEqual({ answer: 'One two', offset: null })
  expect(placedWithin({ answerSpan: { start: 0, end: 3 } }, pieces).answerSpan).toBeNull()
  expect(placedWithin({ answerSpan: { start: 0, end: 2 } }, answerWithin('14')).answerSpan).toEqual({ start: 0, end: 2 })
})
