import { describe, expect, test } from 'vitest'
import { formatMicroUsd, formatSignedUsd, formatUsd, formatUsdPair } from '../../../../src/lib/format/money.ts'

describe('formatUsd', () => {
  test.each([
    ['0', '$0.00'],
    ['1', '$0.000001'],
    ['12', '$0.000012'],
    ['1234', '$0.0012'],
    ['9999', '$0.0100'],
    ['10000', '$0.01'],
    ['1234567', '$1.23'],
    ['1235000', '$1.24'],
    ['999995000', '$1,000.00'],
    ['-50000', '−$0.05'],
    ['999999999999999999', '$1,000,000,000,000.00'],
    ['12.5', '–'],
    ['', '–'],
  ])('%s micro-USD is %s', (micro, text) => {
    expect(formatUsd(micro)).toBe(text)
  })

  test('keeps the decimals of a column', () => {
    expect(['1234', '1234567', '0'].map(micro => formatUsd(micro, 4))).toEqual(['$0.0012', '$1.2346', '$0.0000'])
    expect(formatUsd('1500000', 0)).toBe('$2')
    expect(formatUsd('-4', 2)).toBe('$0.00')
  })
})

test('formatUsdPair is exact where two amounts would read alike', () => {
  expect(formatUsdPair('1345', '1320')).toEqual(['$0.001345', '$0.001320'])
  expect(formatUsdPair('8500', '1200')).toEqual(['$0.0085', '$0.0012'])
  expect(formatUsdPair('1200', '1200')).toEqual(['$0.0012', '$0.0012'])
})

test('formatSignedUsd marks both directions and leaves zero bare', () => {
  expect(['2500000', '-2500000', '0'].map(micro => formatSignedUsd(micro))).toEqual(['+$2.50', '−$2.50', '$0.00'])
})

test('formatMicroUsd is exact beyond the range of floats', () => {
  expect(formatMicroUsd('900719925474099301')).toBe('900,719,925,474,099,301 micro-USD')
  expect(formatMicroUsd('-1200')).toBe('−1,200 micro-USD')
  expect(formatMicroUsd('free')).toBe('–')
})
