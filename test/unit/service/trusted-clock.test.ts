import { expect, test } from 'vitest'
import { type TrustedClock, trustClock } from '../../../src/service/retention/trusted-clock.ts'

const start = Date.parse('2026-11-30T00:00:00.000Z')
const day = (days: number) => new Date(start + days * 86_400_000)
/** Days after the start that ages are counted from, at each look. */
const counted = (...looks: readonly number[]): number[] => {
  let known: TrustedClock | null = null
  return looks.map(at => {
    known = trustClock(known, day(at))
    return (known.trustedAt.getTime() - start) / 86_400_000
  })
}

test.each([
  ['a clock that goes on, and a week of rest', [0, 0.1, 7.1], [0, 0.1, 7.1]],
  ['a jump that is corrected within a day', [0, 365, 365.5, 0.5], [0, 0, 0, 0.5]],
  ['a jump that stays for a day', [0, 365, 365.5, 366], [0, 0, 0, 366]],
  ['a second jump within the first', [0, 365, 800, 801], [0, 0, 365, 801]],
  ['a month of rest and an hour of work each day after it', [0, 30, 31, 32], [0, 0, 31, 32]],
  ['a clock that is set back', [0, -365, -364], [0, -365, -364]],
  ['a held clock that is set back in part', [0, 365, 100, 100.5, 101], [0, 0, 0, 0, 101]],
])('counts ages through %s', (_, looks, expected) => {
  expect(counted(...looks)).toEqual(expected)
})
