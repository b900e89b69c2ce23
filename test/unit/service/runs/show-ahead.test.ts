import { expect, test } from 'vitest'
import { showAheadAsPending } from '../../../../src/service/runs/show-ahead.ts'

test.each([
  ['ccaaaa..', 2, 'ccaa....'],
  ['ccaaaa..', 0, 'ccaaaa..'],
  ['acaw.', 2, '.c.w.'],
  ['aa', Number.POSITIVE_INFINITY, '..'],
  ['cw', 3, 'cw'],
  ['', 1, ''],
])('%s with %d claimed ahead reads %s', (codes, ahead, shown) => {
  expect(showAheadAsPending(codes, ahead)).toBe(shown)
})
