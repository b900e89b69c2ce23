import { expect, test } from 'vitest'
import { levelText } from '../../../../src/renderer/tuning/tuning-words.ts'

test.each([
  [0.95, '95 %'],
  [0.9926, '99.26 %'],
  [0.99999, '99.999 %'],
  [0.9999992, '99.9999 %'],
  [1 - 1e-12, 'above 99.99999 %'],
])('a level of %d never reads as certainty', (level, text) => {
  expect(levelText(level)).toBe(text)
})
