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
  const previewed = { status: 'previewed' as const, error_count: 0, remote_media: [] }
  expect(blockedAnswers(previewed, null)).toBeNull()
  expect(blockedAnswers(null, null)).toMatch('being checked')
  expect(blockedAnswers(previewed, { status: 'imported' })).toMatch('were imported')
  const failed = { status: 'failed' as const, error_count: 1, remote_media: [] }
  expect(blockedAnswers(failed, null)).toBe('Fix the errors in the files and add them again.')
  const remote_media = [{ host: 'pictures.example', files: 2, allowed: false, fetched: 0 }]
  expect(blockedAnswers({ ...failed, remote_media }, null)).toMatch(/^Choose to download the media files/)
})
