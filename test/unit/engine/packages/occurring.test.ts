import { expect, test } from 'vitest'
import { occurring } from '../../../../src/engine/importing/packages/checks/occurring.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'

test('finds what occurs, of any length, wherever it stands', () => {
  const wanted = new Set(['12345678', '12345678 and more', 'abcdefgh', 'x'.repeat(300)])
  const texts = ['12345678 and mor', `abc abcdefgh`, `${'x'.repeat(150)}y${'x'.repeat(299)}`]
  expect(occurring(wanted, texts, 8)).toEqual({ found: new Set(['12345678', 'abcdefgh', 'x'.repeat(300)]), isWhole: true })
  expect(occurring(wanted, ['1234567', '', 'abcdefg h'], 8).found).toEqual(new Set())
})

test('takes time by the length of the texts, not by their product with the number of wanted ones', async () => {
  const wanted = new Set(Array.from({ length: 50_000 }, (_, i) => `https://host.invalid/page/${i}/end`))
  const text = Array.from({ length: 50_000 }, (_, i) => `https://host.invalid/page/${i + 49_999}/end`).join('\n')
  const spent = await cpuMsOf(() => {
    expect(occurring(wanted, [text], 8).found).toEqual(new Set(['https://host.invalid/page/49999/end']))
  })
  expect(spent).toBeLessThan(5_000 * slowness())
})

test('stops at text that repeats without end, and says so', () => {
  const wanted = new Set(Array.from({ length: 190 }, (_, i) => `${'a'.repeat(8 + i)}b`))
  expect(occurring(wanted, ['a'.repeat(10_000)], 8, 1_000_000)).toEqual({ found: new Set(), isWhole: false })
})
