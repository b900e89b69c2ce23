import { expect, test } from 'vitest'
import { recordedVerdict } from '../../../../../src/engine/grading/scorers/native/recorded-verdict.scorer.ts'

const verdictOf = (example: Record<string, unknown> | undefined, options: Record<string, unknown> = {}) =>
  recordedVerdict.score(
    { output: 'anything', targets: [], ...(example && { example }) },
    recordedVerdict.options.parse({ field: 'judge', ...options }),
  )

test.each<readonly [unknown, number, string | undefined]>([
  ['Pass', 1, 'Pass'],
  [' C ', 1, 'C'],
  ['refused', 0, 'refused'],
  [true, 1, undefined],
  [0.25, 0.25, '0.25'],
  ['0.25', 0.25, '0.25'],
  ['7', 0, '7'],
])('%j is a verdict', (judge, value, label) => {
  const score = verdictOf({ judge })
  expect([score.value, score.label]).toEqual([value, label])
})

test('words that pass and the range of numbers are stated', () => {
  expect(verdictOf({ judge: 'refused' }, { passes: ['Refused'] }).value).toBe(1)
  expect(verdictOf({ judge: 4 }, { lowest: 1, highest: 5 })).toMatchObject({ value: 0.75, label: '4' })
  expect(verdictOf({ judge: 4 })).toMatchObject({ value: null, explanation: expect.stringContaining('not between 0 and 1') })
  expect(recordedVerdict.options.safeParse({ field: 'judge', lowest: 1, highest: 1 }).success).toBe(false)
})

test('a dot leads into an object, unless a field has that very name', () => {
  expect(verdictOf({ labels: { quality: 'pass' } }, { field: 'labels.quality' }).value).toBe(1)
  expect(verdictOf({ labels: { quality: 'pass' }, 'labels.quality': 'fail' }, { field: 'labels.quality' }).value).toBe(0)
  expect(verdictOf({ judge: {} }, { field: 'judge.constructor.name' }).value).toBeNull()
})

test.each([undefined, {}, { judge: '' }, { judge: null }, { judge: ['pass'] }])('without a verdict, %j is unscored', example => {
  expect(verdictOf(example)).toMatchObject({ value: null, class: 'unscored' })
})
