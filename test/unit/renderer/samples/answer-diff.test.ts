import { expect, test } from 'vitest'
import { keptWidth } from '../../../../src/renderer/ui/page/use-panel-width.ts'
import { isComparable } from '../../../../src/renderer/samples/answer-diff.tsx'

test('compares texts of several words that differ', () => {
  expect(isComparable('the red house', 'the blue house')).toBe(true)
  expect(isComparable('1560', '500')).toBe(false)
  expect(isComparable('same words', 'same words')).toBe(false)
})

test('ignores a kept width that no one could have set', () => {
  expect(keptWidth('480')).toBe(480)
  expect([keptWidth(null), keptWidth('x'), keptWidth('-3'), keptWidth('99999')]).toEqual([null, null, null, null])
})
