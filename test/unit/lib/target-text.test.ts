import { expect, test } from 'vitest'
import { targetChoice, targetText } from '../../../src/lib/target-text.ts'

test('a letter is named by its choice, beside answers that are taken as a choice’s text', () => {
  const days = ['Tuesday', 'Friday', 'Saturday']
  expect(targetChoice({ targets: ['C', 'A'], choices: days })).toBe('Saturday')
  expect(targetChoice({ targets: ['D'], choices: days })).toBeNull()
  expect(targetChoice({ targets: ['Friday'], choices: days })).toBeNull()
  expect(targetChoice({ targets: ['B'], choices: ['B', 'A'] })).toBeNull()
  expect(targetChoice({ targets: ['A'], choices: null })).toBeNull()
  expect(targetChoice({ targets: [], choices: days })).toBeNull()
  expect(targetText('C', 'Saturday')).toBe('C: Saturday')
  expect(targetText('D', null)).toBe('D')
})
