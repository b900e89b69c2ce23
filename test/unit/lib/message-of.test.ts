import { expect, test } from 'vitest'
import { messageOf } from '../../../src/lib/message-of.ts'

test.each([
  [new RangeError('too far'), 'too far'],
  ['cut off', 'cut off'],
  [{ code: 7 }, '[object Object]'],
  [undefined, 'undefined'],
])('what %s says', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})
