import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/contract/errors.ts'
import { jsonLimits } from '../../../src/service/http/check-json.ts'
import { parseJsonBody } from '../../../src/service/http/json-body.ts'

const parse = (text: string | Uint8Array) => parseJsonBody(typeof text === 'string' ? Buffer.from(text) : text)
const malformed = expect.objectContaining({ status: 400, code: 'malformed_json' })
const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join()}}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('a body that is refused', () => {
  test.each([
    ['half an object', '{"a":'],
    ['something after it', '{} x'],
    ['no number', '{"n":NaN}'],
    ['a byte order mark', '\ufeff{}'],
    ['a number beyond all numbers', '{"n":1e400}'],
    ['a negative one', '[-1e400]'],
    ['an integer that would be read as another', '{"n":9007199254740993}'],
    ['a negative one of those', '{"n": -9007199254740993 }'],
    ['a key given twice', '{"a":1,"b":{"a":1},"a":2}'],
    ['a key given twice in two spellings', String.raw`{"a":1,"\u0061" : 2}`],
    ['a key given twice in a list', '[{"x":[{"a":1,"a":1}]}]'],
    ['a prototype', '{"__proto__":{"polluted":true}}'],
    ['a prototype in another spelling', String.raw`{"a":[{"__prot\u006f__":1}]}`],
    ['too much depth', nested(jsonLimits.depth + 1)],
    ['depth without end', nested(500_000)],
    ['too many keys', keys(jsonLimits.keys + 1)],
    ['too many values', `[${'0,'.repeat(jsonLimits.values)}0]`],
    ['too many empty objects', `[${'{},'.repeat(jsonLimits.values / 2)}{}]`],
    ['bytes that are no UTF-8', Buffer.from('7b2261223a22ff227d', 'hex')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ])('%s', (_what, body) => {
    expect(() => parse(body)).toThrow(malformed)
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted')
  })
})

describe('a body that is taken', () => {
  test('holds as many values as it may, and commas in texts are not counted', () => {
    expect(parse(`[${'0,'.repeat(jsonLimits.values - 2)}0]`)).toHaveLength(jsonLimits.values - 1)
    const text = ',[{'.repeat(jsonLimits.values)
    expect(parse(JSON.stringify({ text }))).toEqual({ text })
  })

  test.each([
    ['the same key in two objects', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}'],
    ['a value like a key', '{"a":"a","b":["a","a"]}'],
    ['braces, digits and quotes within a text', String.raw`{"a":"{\"a\":[1e999,\\","b":"]}"}`],
    ['the largest integer', '{"n":9007199254740991,"m":-9007199254740991}'],
    ['a large number that is no integer', '{"n":1e300,"m":1.5}'],
    ['a whole pair', String.raw`{"s":"\ud83d\ude00"}`],
    ['a text of a megabyte', JSON.stringify({ s: 'a\\'.repeat(400_000) })],
    ['a NUL', String.raw`{"s":"a\u0000b"}`],
    ['depth up to the limit', nested(jsonLimits.depth)],
    ['keys up to the limit', keys(jsonLimits.keys)],
  ])('%s', (_what, body) => {
    expect(parse(body)).toEqual(JSON.parse(body))
  })

  test('has the replacement character for half a surrogate pair, as the database would keep it', () => {
    expect(parse(String.raw`{"s":"a\ud800b","l":["\uDC00",{"k\ud83d":"\ud83d\ude00"}]}`)).toEqual({
      s: 'a\ufffdb',
      l: ['\ufffd', { 'k\ufffd': '😀' }],
    })
  })

  test('is any JSON that a program writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), value => {
        const text = JSON.stringify(value)
        // Only what the tests above refuse is not taken: fast-check makes such keys and integers too.
        fc.pre(!text.includes('__proto__') && !/\d{16}/.test(text))
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('a megabyte of anything takes no time to speak of', () => {
    for (const unit of ['"', '\\', '{"a":', '[', '1', '-', '"a":', '{"\\u0061":1},', '1e', ' ']) {
      const before = process.cpuUsage()
      expect(() => parse(unit.repeat(1_000_000 / unit.length))).toThrow(ApiError)
      // Processor time, which other work on the machine does not lengthen.
      const { user, system } = process.cpuUsage(before)
      expect({ unit, slow: user + system > 1_000_000 }).toEqual({ unit, slow: false })
    }
  })
})

const shared = fileURLToPath(new URL('../../../../shared/badinput/jsontestsuite/test_parsing/', import.meta.url))

describe.skipIf(!existsSync(shared))('the JSON test suite (skipped where the shared folder is absent)', () => {
  const files = existsSync(shared) ? readdirSync(shared) : []
  /** JSON by the letter, which we refuse with a reason. */
  const stricter = (name: string) => /duplicated_key|^y_number_(?:very_)?(?:big|huge)/.test(name)

  test('what is no JSON is refused, what is JSON is read, and the rest is one of the two', () => {
    expect(files.length).toBeGreaterThan(300)
    for (const name of files) {
      const bytes = readFileSync(shared + name)
      // No body at all is another matter: operations that need one say so.
      if (bytes.length === 0) continue
      let taken = true
      try {
        parse(bytes)
      } catch (error) {
        expect(error).toEqual(malformed)
        taken = false
      }
      if (name.startsWith('y_') && !stricter(name)) expect({ name, taken }).toEqual({ name, taken: true })
      if (name.startsWith('n_')) expect({ name, taken }).toEqual({ name, taken: false })
    }
  })
})
