import { expect, test } from 'vitest'
import { lasting, writeAnswer } from '../../../src/service/http/lasting-answers.ts'

test('an answer that never changes is written once, and every other one each time', () => {
  const answers = [lasting({ n: 1 }), { n: 1 }]
  expect(answers.map(writeAnswer)).toEqual(['{"n":1}', '{"n":1}'])
  for (const answer of answers) answer.n = 2
  expect(answers.map(writeAnswer)).toEqual(['{"n":1}', '{"n":2}'])
})

test('values that are no objects are written as JSON', () => {
  expect([null, 'a', 1, true].map(writeAnswer)).toEqual(['null', '"a"', '1', 'true'])
})
