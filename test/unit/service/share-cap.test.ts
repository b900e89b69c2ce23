import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shareCap, shareRest } from '../../../src/service/tuning/share-cap.ts'

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

describe('the cap of a group', () => {
  test('is shared so that the shares never add up to more, and no arm gets more than it can cost', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 13 }), (cap, bounds) => {
        const shares = shareCap(cap, bounds)
        expect(sum(shares) <= cap).toBe(true)
        for (const [i, share] of shares.entries()) expect(share <= (bounds[i] ?? 0n)).toBe(true)
      }),
    )
  })

  test('stays kept when ended arms leave a rest, however often it is shared', () => {
    const arm = fc.record({ bound: amount, spentShare: fc.integer({ min: 0, max: 100 }), isEnded: fc.boolean() })
    fc.assert(
      fc.property(amount, fc.array(arm, { minLength: 1, maxLength: 13 }), (cap, arms) => {
        const first = shareCap(
          cap,
          arms.map(({ bound }) => bound),
        )
        const state = arms.map(({ bound, spentShare, isEnded }, i) => {
          const mine = first[i] ?? 0n
          return { cap: mine, spent: (mine * BigInt(spentShare)) / 100n, bound, isEnded }
        })
        let caps = first
        for (const _ of [1, 2, 3]) {
          caps = shareRest(
            cap,
            state.map((one, i) => ({ ...one, cap: caps[i] ?? 0n })),
          )
          const most = sum(state.map(({ isEnded, spent }, i) => (isEnded ? spent : (caps[i] ?? 0n))))
          expect(most <= cap).toBe(true)
          for (const [i, { bound, cap: before }] of state.entries())
            expect((caps[i] ?? 0n) >= before && (caps[i] ?? 0n) <= (bound > before ? bound : before)).toBe(true)
        }
      }),
    )
  })
})
