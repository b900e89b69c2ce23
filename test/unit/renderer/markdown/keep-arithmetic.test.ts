import { expect, test } from 'vitest'
import { keepArithmetic } from '../../../../src/renderer/markdown/keep-arithmetic.ts'

test.each([
  ['130,000*1.5=<<130000*1.5=195000>>', '130,000\\*1.5=<<130000\\*1.5=195000>>'],
  ['(2+3)*(4) and $5*$6', '(2+3)\\*(4) and $5\\*$6'],
  ['an *important* word and **Step 1**: x', 'an *important* word and **Step 1**: x'],
  ['`a*b*c` and $$a*b*c$$ stay', '`a*b*c` and $$a*b*c$$ stay'],
  ['* a list\n* of two', '* a list\n* of two'],
])('%j becomes %j', (text, expected) => {
  expect(keepArithmetic(text)).toBe(expected)
})
