import type { Interval } from './estimate.ts'
import { wilsonInterval } from './proportions.ts'
import { at, sum } from './sample.ts'

/**
 * An interval for a coefficient (po - pe)/(1 - pe) where all n items agree, so that its own standard error is 0: the lower end puts the
 * lower end of the Wilson interval of po = n/n in the place of po. Null where there is no chance agreement to compare with.
 *
 * @param table counts of two raters @param expected which chance agreement the coefficient takes
 */
export function fullAgreementInterval(table: readonly (readonly number[])[], expected: 'cohen' | 'gwet', level: number): Interval | null {
  const n = sum(table.map(sum))
  const agreed = sum(table.map((row, i) => at(row, i)))
  if (n === 0 || agreed !== n) return null
  const shares = table.map((row, i) => (sum(row) + sum(table.map(other => at(other, i)))) / (2 * n))
  const chance =
    expected === 'cohen' ? sum(shares.map(share => share * share)) : sum(shares.map(share => share * (1 - share))) / (table.length - 1)
  const wilson = wilsonInterval(n, n, level).value
  if (wilson === null || !(chance < 1)) return null
  return { low: (wilson.low - chance) / (1 - chance), high: 1, level, method: 'wilson_of_agreement' }
}
