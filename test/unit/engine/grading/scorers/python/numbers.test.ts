import { describe, expect, test } from 'vitest'
import { formatGeneral, parseFloatText, reprFloat, roundHalfEven } from '../../../../../../src/engine/grading/scorers/python/numbers.ts'
import { decimalKey, sameDecimals } from '../../../../../../src/engine/grading/scorers/python/decimal.ts'

describe('float(text)', () => {
  test.each([
    ['1_000', 1000],
    [' １２.5 ', 12.5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['5.', 5],
    ['+٣', 3],
    ['𝟡𝟙', 91],
    ['-Infinity', -Infinity],
    ['1__0', null],
    ['0x10', null],
    ['.', null],
    ['', null],
    ['1 000', null],
    ['1,5', null],
  ])('%j is %s', (text, expected) => expect(parseFloatText(text)).toBe(expected))

  test('reads nan', () => expect(parseFloatText('NaN')).toBeNaN())
})

describe('numbers as text', () => {
  test.each([
    [1e16, '1e+16'],
    [1e15, '1000000000000000.0'],
    [0.00001, '1e-05'],
    [3, '3.0'],
    [-0, '-0.0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [123456789012345680, '1.2345678901234568e+17'],
  ])('repr(%d) is %s', (value, expected) => expect(reprFloat(value)).toBe(expected))

  test.each([
    [123456, '1.2346e+05'],
    [12345.6, '12346'],
    [0.00001234, '1.234e-05'],
    [99999.5, '1e+05'],
    [0.5, '0.5'],
    [0, '0'],
  ])("format(%d, '.5g') is %s", (value, expected) => expect(formatGeneral(value, 5)).toBe(expected))

  test.each([
    [0.125, 2, 0.12],
    [0.375, 2, 0.38],
    [2.675, 2, 2.67],
    [1.005, 2, 1],
    [-0.125, 2, -0.12],
    [2.5, 0, 2],
    [3.5, 0, 4],
    [1e22, 2, 1e22],
  ])('round(%d, %i) is %d', (value, digits, expected) => expect(roundHalfEven(value, digits)).toBe(expected))
})

describe('Decimal(text)', () => {
  test.each([
    ['1.0', '1'],
    ['1e3', '1000'],
    ['1_000', '1000'],
    ['-0', '0'],
    ['0.10', '.1'],
  ])('%s equals %s', (a, b) => expect(decimalKey(a)).toBe(decimalKey(b)))

  test('keeps every digit and knows no NaN equal to itself', () => {
    expect(sameDecimals('0.30000000000000004 1', '0.3 1')).toBe(false)
    expect(sameDecimals('1.0  2', '1 2.00')).toBe(true)
    expect(sameDecimals('nan', 'nan')).toBe(false)
    expect(sameDecimals('a', 'a')).toBe(false)
    expect(decimalKey('1.2.3')).toBeNull()
  })
})
