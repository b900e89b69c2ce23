import { expect, test } from 'vitest'
import { choiceOf } from '../../../../src/renderer/samples/choice-of.ts'

test('a letter is named by its choice, beside answers that are taken as a choice’s text', () => {
  const days = ['Tuesday', 'Friday', 'Saturday']
  expect(choiceOf('C', days)).toBe('Saturday')
  expect(choiceOf('D', days)).toBeNull()
  expect(choiceOf('Friday', days)).toBeNull()
  expect(choiceOf('B', ['B', 'A'])).toBeNull()
  expect(choiceOf('A', null)).toBeNull()
})
