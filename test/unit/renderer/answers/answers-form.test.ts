import { expect, test } from 'vitest'
import { blockedAnswers, readWords, withScore, writeWords } from '../../../../src/renderer/answers/answers-form.ts'

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

test('says why outputs cannot be imported', () => {
  const shown = { fields: {}, files: [new File(['{}'], 'outputs.jsonl')] }
  const attempt = { record: { status: 'previewed' as const, error_count: 0 }, busy: false, error: null, sent: shown }
  expect(blockedAnswers(attempt, shown, null)).toBeNull()
  expect(blockedAnswers({ ...attempt, record: null, busy: true }, shown, null)).toMatch('being checked')
  expect(blockedAnswers(attempt, { ...shown, fields: {} }, null)).toMatch('being checked')
  expect(blockedAnswers({ ...attempt, record: null, error: new Error('too large') }, shown, null)).toMatch('were refused')
  expect(blockedAnswers(attempt, shown, { status: 'imported' })).toMatch('were imported')
  // Also beside a host that is not chosen: its samples are left out.
  const record = { status: 'failed' as const, error_count: 1 }
  expect(blockedAnswers({ ...attempt, record }, shown, null)).toBe('Fix the errors in the files and add them again.')
})
