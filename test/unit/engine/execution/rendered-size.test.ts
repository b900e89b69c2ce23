import { expect, test } from 'vitest'
import { fill, PromptTooLargeError } from '../../../../src/engine/execution/samples/render-prompt.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'

test('a template that repeats a long field is refused before anything is rendered', async () => {
  const template = '{input}'.repeat(7_000)
  const spent = await cpuMsOf(() => expect(() => fill(template, { input: 'x'.repeat(1_000_000) })).toThrow(PromptTooLargeError))
  expect(spent).toBeLessThan(500 * slowness())
  expect(() => fill(template, { input: 'x'.repeat(100) })).toThrow('holds {input} 7,000 times. Use it at most 8 times.')
})

test('a long field that is used a few times is rendered, and a short one as often as wished', () => {
  const input = 'x'.repeat(2_000_000)
  expect(fill('{input} {input}', { input })).toHaveLength(4_000_001)
  expect(fill('{input}'.repeat(100), { input: 'ab' })).toBe('ab'.repeat(100))
})
