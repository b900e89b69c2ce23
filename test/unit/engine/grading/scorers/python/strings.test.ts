import { describe, expect, test } from 'vitest'
import {
  casefold,
  isLower,
  isUpper,
  lstrip,
  removeAsciiPunctuation,
  rstrip,
  splitLines,
  splitWords,
  strip,
} from '../../../../../../src/engine/grading/scorers/python/strings.ts'

describe('strings as Python sees them', () => {
  test.each([
    ['\u001c a \u0085', 'a'],
    ['\ufeffa', '\ufeffa'],
    ['\u3000a\u2009', 'a'],
    ['', ''],
    [' \n', ''],
  ])('strips the white space of Python, not of JavaScript: %j', (text, expected) => expect(strip(text)).toBe(expected))

  test('strips given characters from the asked side', () => {
    expect([strip('**a*', '*'), lstrip("''a'", "'"), rstrip('1.500', '0')]).toEqual(['a', "a'", '1.5'])
  })

  test.each([
    ['Straße', 'strasse'],
    ['ẞ', 'ss'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['ﬁn', 'fin'],
    ['İ', 'i̇'],
    ['ı', 'ı'],
    ['µ', 'μ'],
  ])('folds the case of %s', (text, expected) => expect(casefold(text)).toBe(expected))

  test('splits words and lines', () => {
    expect(splitWords('  a\u00a0b\n c ')).toEqual(['a', 'b', 'c'])
    expect(splitWords(' ')).toEqual([])
    expect(splitLines('a\r\nb\u2028c\vd\n')).toEqual(['a', 'b', 'c', 'd'])
  })

  test('tells upper from lower case, and neither without letters', () => {
    expect([isUpper('A1'), isUpper('Aa'), isUpper('1'), isLower('ab!'), isLower('aB')]).toEqual([true, false, false, true, false])
  })

  test('removes ASCII punctuation only', () => expect(removeAsciiPunctuation('“A”-[b]\\^_`{|}~.')).toBe('“A”b'))
})
