import { expect, test } from 'vitest'
import { targetText } from '../../../src/lib/target-text.ts'

test('a letter is named by its choice, beside answers that are taken as a choice’s text', () => {
  const days = ['Tuesday', 'Friday', 'Saturday']
  expect(targetText({ targets: ['C', 'A'], choices: days })).toBe('C: Saturday')
  expect(targetText({ targets: ['D'], choices: days })).toBe('D')
  expect(targetText({ targets: ['Friday'], choices: days })).toBe('Friday')
  expect(targetText({ targets: ['B'], choices: ['B', 'A'] })).toBe('B')
  expect(targetText({ targets: ['A'], choices: null })).toBe('A')
  expect(targetText({ targets: [], choices: days })).toBeNull()
})
