import { expect, test } from 'vitest'
import { findJson } from '../../../../../src/engine/grading/extraction/json.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'

/** As a pattern says it, which takes time that grows with the square of quotes that nothing closes. */
function byPattern(text: string): string[] {
  const stretches: string[] = []
  let [depth, start] = [0, 0]
  for (const { 0: token, index } of text.matchAll(/[{}[\]]|"(?:[^"\\\n]|\\.)*"/g)) {
    if (token === '{' || token === '[') {
      if (depth === 0) start = index
      depth++
    } else if ((token === '}' || token === ']') && depth > 0) {
      depth--
      if (depth === 0) stretches.push(text.slice(start, index + 1))
    }
  }
  return stretches
}

test('finds the JSON within a sentence as the pattern of strings and brackets does, whatever is not closed', () => {
  const parts = ['{', '}', '[', ']', '"', String.raw`\"`, '\\', '\n', '\r', '\u2028', 'a', ':', '1', '{"a":1}', '["]"]', '"k":']
  let seed = 1
  const next = () => (seed = (seed * 48_271) % 2_147_483_647)
  let held = 0
  for (let i = 0; i < 20_000; i++) {
    const text = `so ${Array.from({ length: 1 + (next() % 12) }, () => parts[next() % parts.length]).join('')} .`
    const values = byPattern(text).filter(one => {
      try {
        JSON.parse(one)
        return true
      } catch {
        return false
      }
    })
    const only = new Set(values).size === 1 ? values[0] : undefined
    held += only === undefined ? 0 : 1
    expect({ text, found: findJson(text)?.text }).toEqual({ text, found: only })
  }
  expect(held).toBeGreaterThan(500)
})

test('takes no longer for a string that is cut off among its quotes', async () => {
  const cut = `{"a":"${String.raw`\"`.repeat(500_000)}`
  expect(await cpuMsOf(() => findJson(cut))).toBeLessThan(500 * slowness())
})
