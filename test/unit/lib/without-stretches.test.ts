import { expect, test } from 'vitest'
import { withoutStretches } from '../../../src/lib/without-stretches.ts'
import { cpuMsOf, slowness } from '../../support/machine-speed.ts'

test.each([
  ['a[b]c', 'ac'],
  ['a[b[c]d]e', 'ad]e'],
  ['a]b[c', 'a]b[c'],
  ['[a][b]', ''],
  ['none', 'none'],
])('of %s is left %s', (text, left) => {
  expect(withoutStretches(text, /\[/, /\]/g)).toBe(left)
  expect(text.replaceAll(/\[[^\]]*\]/g, '')).toBe(left)
})

test('takes no longer for openings that nothing closes', async () => {
  const open = '['.repeat(2_000_000)
  expect(await cpuMsOf(() => withoutStretches(open, /\[/, /\]/g))).toBeLessThan(200 * slowness())
})
