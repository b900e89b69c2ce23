import { expect, test } from 'vitest'
import { answerWithin, gradedAnswer, placedWithin, storedAnswerWithin } from '../../../../src/engine/grading/answer-within.ts'

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

test('reasoning that is graded stands before the answer, and what is found in it has no place in the answer', () => {
  const graded = gradedAnswer({ grade: 'output_and_reasoning' }, { output: '14 apples', reasoning: 'Is it 99?' })
  expect(graded.answer).toBe('Is it 99?\n\n14 apples')
  const at = (text: string) => {
    const start = graded.answer.indexOf(text)
    return placedWithin({ answerSpan: { start, end: start + text.length } }, graded).answerSpan
  }
  expect(at('14')).toEqual({ start: 0, end: 2 })
  expect(at('99')).toBeNull()
  expect(gradedAnswer({ grade: 'output_and_reasoning' }, { output: '', reasoning: '14' }).answer).toBe('14')
  expect(gradedAnswer({}, { output: '14', reasoning: '99' }).answer).toBe('14')
})

test('reasoning that stays in the text is not taken out when it is graded again', () => {
  const stored = { output: '<think>99</think>14', reasoning: null }
  expect(storedAnswerWithin({ reasoning: 'as_text' }, stored).answer).toBe(stored.output)
  expect(storedAnswerWithin({}, stored).answer).toBe('14')
})
