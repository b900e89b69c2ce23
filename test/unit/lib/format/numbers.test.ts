import { describe, expect, test, vi } from 'vitest'
import { formatCompact, formatCount, formatNumber, formatSigned } from '../../../../src/lib/format/numbers.ts'

describe('formatNumber', () => {
  test.each([
    [0, 0, '0'],
    [1319, 0, '1,319'],
    [999, 0, '999'],
    [1_000_000, 0, '1,000,000'],
    [1234.5678, 2, '1,234.57'],
    [-0.5, 1, '−0.5'],
    [-0.04, 1, '0.0'],
    [-1234.5, 1, '−1,234.5'],
    [0.1234567, 6, '0.123457'],
    [Number.NaN, 0, '–'],
    [Number.POSITIVE_INFINITY, 0, '–'],
  ])('%d with %d decimals is %s', (value, decimals, text) => {
    expect(formatNumber(value, decimals)).toBe(text)
  })

  test('does not depend on the language of the machine', () => {
    const asked = vi.spyOn(Number.prototype, 'toLocaleString')
    expect(formatCount(1234567)).toBe('1,234,567')
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})

describe('formatSigned', () => {
  test.each([
    [3.14, 1, '+3.1'],
    [-3.14, 1, '−3.1'],
    [0, 1, '0.0'],
    [0.04, 1, '0.0'],
    [-0.04, 1, '0.0'],
    [1500, 0, '+1,500'],
    [Number.NaN, 1, '–'],
  ])('%d with %d decimals is %s', (value, decimals, text) => {
    expect(formatSigned(value, decimals)).toBe(text)
  })
})

describe('formatCompact', () => {
  test.each([
    [0, '0'],
    [0.5, '0.5'],
    [950, '950'],
    [999, '999'],
    [1000, '1 k'],
    [1234, '1.2 k'],
    [35_400, '35 k'],
    [999_499, '999 k'],
    [999_950, '1.0 M'],
    [4_100_000, '4.1 M'],
    [-2500, '−2.5 k'],
    [Number.NaN, '–'],
  ])('%d is %s', (value, text) => {
    expect(formatCompact(value)).toBe(text)
  })
})
