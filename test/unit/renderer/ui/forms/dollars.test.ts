import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MicroUsd } from '../../../../../src/contract/primitives.ts'
import { isUnfinished, readDollars, typedDollars } from '../../../../../src/renderer/ui/forms/dollars.ts'

describe('an amount in dollars', () => {
  test.each([
    ['1', '1000000'],
    ['1.00', '1000000'],
    ['$0.25', '250000'],
    ['.5', '500000'],
    ['3.', '3000000'],
    ['1,000.5', '1000500000'],
    ['$1,234.50', '1234500000'],
    ['US$ 5', '5000000'],
    ['12 USD', '12000000'],
    ['usd 0.10', '100000'],
    ['7 $', '7000000'],
    ['0.000001', '1'],
    ['0.5000000', '500000'],
    ['0.1', '100000'],
    ['0.29', '290000'],
    ['0', '0'],
    ['007', '7000000'],
    [' 12 ', '12000000'],
    ['\u00a012\u00a0', '12000000'],
    ['999999999999.999999', '999999999999999999'],
  ])('reads %j', (typed, amount) => {
    expect(readDollars(typed)).toEqual({ amount, error: null })
  })

  test.each([
    ['', 'Enter an amount in dollars, such as 0.50 or 1,234.50'],
    ['  ', 'Enter an amount in dollars, such as 0.50 or 1,234.50'],
    ['ten', '“ten” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['.', '“.” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['$', '“$” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['1e3', '“1e3” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['1.2.3', '“1.2.3” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['€5', '“€5” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['1 000', '“1 000” is not an amount: enter dollars, such as 0.50 or 1,234.50'],
    ['1,5', '“1,5” is ambiguous: use a point for decimals and commas for thousands, such as 0.50 or 1,234.50'],
    ['1.234,50', '“1.234,50” is ambiguous: use a point for decimals and commas for thousands, such as 0.50 or 1,234.50'],
    [',5', '“,5” is ambiguous: use a point for decimals and commas for thousands, such as 0.50 or 1,234.50'],
    ['-1', 'Enter 0 or more: an amount can’t be negative'],
    ['−$5', 'Enter 0 or more: an amount can’t be negative'],
    ['$-5', 'Enter 0 or more: an amount can’t be negative'],
    ['0.0000001', 'Enter at most 6 decimals: $0.000001 is the smallest amount'],
    ['1000000000000', 'Enter less than $1,000,000,000,000'],
  ])('says what is wrong with %j', (typed, error) => {
    expect(readDollars(typed)).toEqual({ amount: null, error })
  })

  test('may be empty where that means something', () => {
    expect(readDollars(' ', { empty: 'No limit' })).toEqual({ amount: null, error: null })
    expect(readDollars('x', { empty: 'No limit' }).error).toContain('is not an amount')
  })

  test('must exceed what it replaces', () => {
    expect(readDollars('0', { above: '0' }).error).toBe('Enter more than $0.00')
    expect(readDollars('-1', { above: '0' }).error).toBe('Enter more than $0.00')
    expect(readDollars('5', { above: '5000000' }).error).toBe('Enter more than $5.00')
    expect(readDollars('5', { above: '5000400' }).error).toBe('Enter more than $5.000400')
    expect(readDollars('5.000001', { above: '5000000' })).toEqual({ amount: '5000001', error: null })
  })

  test('is what the contract calls an amount, and survives being shown again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }), microUsd => {
        const { amount } = readDollars(typedDollars(microUsd.toString()))
        expect(amount).toBe(microUsd.toString())
        expect(MicroUsd.safeParse(amount).success).toBe(true)
      }),
    )
  })

  test('never throws, and either has an amount or says why not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), typed => {
        const { amount, error } = readDollars(typed)
        expect((amount === null) === (error !== null)).toBe(true)
      }),
    )
  })
})

test('an amount that is being typed is unfinished, not wrong', () => {
  expect(['$', '.', '$.', 'US', 'us$', ' USD '].map(isUnfinished)).toEqual(Array.from({ length: 6 }, () => true))
  expect(['1', '-', 'ten', '0.'].map(isUnfinished)).toEqual(Array.from({ length: 4 }, () => false))
})
