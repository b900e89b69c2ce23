import { expect, test } from 'vitest'
import { readWords, withScore, writeWords } from '../../../../src/renderer/answers/answers-form.ts'

test('words of a score are read and written alike', () => {
  const words = { refused: 0, 'partly answered': 0.5, answered: 1 }
  expect(readWords('refused = 0, partly answered=.5,answered = 1')).toEqual(words)
  expect(readWords(writeWords(words))).toEqual(words)
  expect(readWords(' ')).toBeNull()
})

test.each(['refused', 'refused =', '= 1', 'refused = no'])('words without a value are named: %j', text => {
  expect(readWords(`answered = 1, ${text}`)).toContain(`“${text}”`)
})

test('a score keeps its place and the others their words', () => {
  const all = [{ column: 'a' }, { column: 'b', words: { yes: 1 } }]
  expect(withScore({ output: 'o' }, { column: 'a', words: { no: 0 } }, all)).toEqual({
    output: 'o',
    scores: [
      { column: 'a', words: { no: 0 } },
      { column: 'b', words: { yes: 1 } },
    ],
  })
})
