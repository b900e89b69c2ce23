import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locateJsonError } from '../../../../../src/lib/mend-json.ts'
import { parseJson } from '../../../../../src/engine/importing/files/parse-json.ts'

describe('the place of a fault', () => {
  test.each([
    ['{"a": 1,}', 'column 9', 'Put a key in double quotes'],
    ['[1 2]', 'column 4', 'Put a "," or "]"'],
    ['{"a" 1}', 'column 6', 'Put a ":" after the key'],
    ['{"a": NaN, "b" 1}', 'column 16', 'Put a ":" after the key'],
    ['{"a": tru}', 'column 7', 'Put a value, texts in double quotes,'],
    ['{} x', 'column 4', 'Remove what follows the value'],
    ['"a\tb"', 'column 3', 'Escape the control character of the text, as in \\n or \\t,'],
    ['"a\\x"', 'column 3', 'Double the backslash'],
    ['["a', 'column 4, where the text ends', 'Close the text with double quotes'],
    ['[01]', 'column 3', 'Put a "," or "]"'],
    ['', 'column 1, where the text ends', 'Put a value, texts in double quotes,'],
    ['{\n "a": }', 'line 2, column 7', 'Put a value, texts in double quotes,'],
  ])('of %j is %s, after what mends it', (text, place, mend) => {
    expect(() => parseJson(text)).toThrow(`${mend} at ${place}. The JSON breaks off there.`)
  })

  test('is reported where the text before could still be JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('}', ']', ',', '"', 'x', '\\', ':', ''), (json, at, wrong) => {
        const cut = at % (json.length + 1)
        const text = json.slice(0, cut) + wrong + json.slice(cut + 1)
        if (isJson(text)) return
        const { index } = locateJsonError(text)
        const before = text.slice(0, index)
        // The text up to the fault is only unfinished, or already a whole value.
        expect(locateJsonError(before).index).toBe(before.length)
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  test('is found in deep and long texts without recursion', () => {
    expect(locateJsonError('['.repeat(200_000)).index).toBe(200_000)
    expect(locateJsonError(`"${'x'.repeat(2_000_000)}`).index).toBe(2_000_001)
  })
})

const suite = new URL('../../../../../../shared/badinput/jsontestsuite/', import.meta.url)

describe.skipIf(!existsSync(suite))('JSONTestSuite (skipped where ../shared/badinput/jsontestsuite is absent)', () => {
  const files = existsSync(suite)
    ? readdirSync(suite, { recursive: true, encoding: 'utf8' }).filter(name => /(^|\/)[yn]_.*\.json$/.test(name))
    : []
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const textOf = (name: string): string | null => {
    try {
      return decoder.decode(readFileSync(new URL(encodeURIComponent(name).replaceAll('%2F', '/'), suite)))
    } catch {
      return null
    }
  }

  test('has its cases', () => {
    expect(files.length).toBeGreaterThan(250)
  })

  test('accepts what must be accepted and names a column for what must not', () => {
    const wrong: string[] = []
    for (const name of files) {
      const text = textOf(name)
      if (text === null) continue
      // As Python writes them; they are read as null.
      if (/n_number_(?:-?NaN|(?:minus_)?infinity)\.json$/.test(name)) continue
      const isGood = /(^|\/)y_/.test(name)
      const failure = failureOf(text)
      if (isGood ? failure !== null : !failure?.endsWith(' The JSON breaks off there.')) wrong.push(`${name}: ${failure}`)
    }
    expect(wrong).toEqual([])
  })
})

function failureOf(text: string): string | null {
  try {
    parseJson(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'not an error'
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
