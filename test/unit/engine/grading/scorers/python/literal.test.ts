import { describe, expect, test } from 'vitest'
import { isJson } from '../../../../../../src/engine/grading/scorers/python/json.ts'
import { parseJsonLiteral, parsePythonLiteral } from '../../../../../../src/engine/grading/scorers/python/literal.ts'
import { type PyValue, pyEquals } from '../../../../../../src/engine/grading/scorers/python/values.ts'

function python(text: string): PyValue {
  const value = parsePythonLiteral(text)
  if (!value) throw new Error(`${text} was not read`)
  return value
}

describe('Python literals', () => {
  test.each([
    ['1', '1.0', true],
    ['True', '1', true],
    ['[1, 2]', '(1, 2)', false],
    ['[(1,)]', '[[1]]', false],
    ['{1, 2, 2}', '{2, 1}', true],
    ["{'a': 1, 'b': [2]}", "{'b': [2.0], 'a': 1}", true],
    ['{1: 2}', "{'1': 2}", false],
    ['nan', 'nan', false],
    ["'it''s'", "'its'", true],
    ["r'\\n'", "'\\\\n'", true],
    ['12345678901234567890', '12345678901234567891', false],
    ['0.1+0.2', '0.30000000000000004', true],
    ['--3', '3', true],
    ['datetime.datetime(2024, 1, 1, 11, 0)', 'datetime.datetime(2024, 1, 1, 11)', true],
    ['datetime.date(2024, 1, 1)', 'datetime.datetime(2024, 1, 1)', false],
    ['set()', '{}', false],
    ["b'a'", "'a'", false],
  ])('%s == %s is %s', (a, b, expected) => expect(pyEquals(python(a), python(b))).toBe(expected))

  test.each([
    "open('x')",
    '__import__',
    '[1',
    '1 2',
    'a',
    '[,]',
    "'open",
    'lambda: 1',
    `${'['.repeat(1000)}${']'.repeat(1000)}`,
    '9'.repeat(5000),
  ])('refuses %.30s', text => expect(parsePythonLiteral(text)).toBeNull())
})

describe('JSON as Python reads it', () => {
  test('keeps whole numbers exact and the last of two equal keys', () => {
    expect(parseJsonLiteral('{"a": 12345678901234567890, "a": -1.5}')).toEqual({
      type: 'dict',
      entries: [
        [
          { type: 'str', value: 'a' },
          { type: 'float', value: -1.5 },
        ],
      ],
    })
    expect(parseJsonLiteral('12345678901234567890')).toEqual({ type: 'int', value: 12345678901234567890n })
    expect(parseJsonLiteral('"\\u00e9\\/"')).toEqual({ type: 'str', value: 'é/' })
  })

  test.each(["'a'", '[1,]', '01', '--1', '"\\x41"', '"a\tb"', '{1: 2}', '(1)', 'None'])('refuses %s', text =>
    expect(parseJsonLiteral(text)).toBeNull(),
  )

  test('accepts what json.loads accepts', () => {
    expect([isJson('[NaN, -Infinity, "NaN"]'), isJson('-NaN'), isJson('[1,]'), isJson('{"a": 1}')]).toEqual([true, false, false, true])
  })
})
