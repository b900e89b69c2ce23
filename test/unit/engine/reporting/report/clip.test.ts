import { expect, test } from 'vitest'
import { clip } from '../../../../../src/engine/reporting/report/explorer/clip.ts'

test.each([
  ['short', 10, { text: 'short', omitted: 0 }],
  ['exactly', 7, { text: 'exactly', omitted: 0 }],
  ['longer', 4, { text: 'long', omitted: 2 }],
  ['ab😀c', 3, { text: 'ab', omitted: 3 }],
  ['ab😀c', 4, { text: 'ab😀', omitted: 1 }],
  ['a\ud800\ud800b', 2, { text: 'a\ud800', omitted: 2 }],
])('%j clipped to %d', (text, limit, expected) => {
  expect(clip(text, limit)).toEqual(expected)
})
