import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MicroUsd } from '../../../../src/contract/index.ts'
import { parseDollars, typedDollars } from '../../../../src/renderer/quotes/dollars.ts'

describe('an amount as a person types it', () => {
  it.each([
    ['1', '1000000'],
    ['1.00', '1000000'],
    ['$0.25', '250000'],
    ['.5', '500000'],
    ['3.', '3000000'],
    ['1,000.5', '1000500000'],
    ['0.000001', '1'],
    ['0', '0'],
    [' 12 ', '12000000'],
    ['999999999999.999999', '999999999999999999'],
  ])('%s', (typed, microUsd) => {
    expect(parseDollars(typed)).toBe(microUsd)
  })

  it.each(['', '.', '$', '-1', '1e3', '0.0000001', '1,00', '1.2.3', 'ten', '1000000000000', '1 000'])('refuses %j', typed => {
    expect(parseDollars(typed)).toBeNull()
  })

  it('is what the contract calls an amount, and survives being shown again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }), amount => {
        const shown = typedDollars(amount.toString())
        expect(parseDollars(shown)).toBe(amount.toString())
        expect(MicroUsd.safeParse(parseDollars(shown)).success).toBe(true)
      }),
    )
  })
})
