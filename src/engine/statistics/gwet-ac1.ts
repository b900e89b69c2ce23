import { requireCount } from './checks.ts'
import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'
import { symmetricInterval } from './means.ts'
import { at, sum } from './sample.ts'

export interface GwetAc1 {
  readonly ac1: number | null
  readonly standardError: number | null
  readonly interval: Interval | null
  readonly reason: string | null
}

/**
 * Gwet's AC1 of two raters from their table of counts, with the standard error of its linear form per item.
 *
 * AC1 = (po - pe)/(1 - pe), pe = Σ π(1-π)/(K-1). Each item has γ_i = (a_i - pe)/(1 - pe) - 2(1 - AC1)(pe_i - pe)/(1 - pe), where a_i is 1
 * for agreement and pe_i = Σ_k (1-π_k) r_ik/2 /(K-1); the variance is that of their mean. Assumes independent items, all rated by both.
 * Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high agreement", equation 25.
 */
export function gwetAc1(table: readonly (readonly number[])[], level = 0.95): GwetAc1 {
  const z = normalCritical(level)
  const size = table.length
  for (const [i, row] of table.entries()) {
    if (row.length !== size)
      throw new RangeError(`row ${i} of the table has ${row.length} entries and the table ${size} rows; give a square table`)
    row.forEach((count, j) => requireCount(`table[${i}][${j}]`, count))
  }
  const n = sum(table.map(sum))
  const nothing = { ac1: null, standardError: null, interval: null }
  if (n === 0) return { ...nothing, reason: 'There are no rated items.' }
  if (size < 2) return { ...nothing, reason: 'Agreement beyond chance needs at least two classes.' }
  const share = table.map((row, k) => (sum(row) + sum(table.map(other => at(other, k)))) / (2 * n))
  const agreed = sum(table.map((row, k) => at(row, k))) / n
  const expected = sum(share.map(p => p * (1 - p))) / (size - 1)
  const ac1 = (agreed - expected) / (1 - expected)
  if (n < 2) return { ac1, standardError: null, interval: null, reason: 'A standard error needs at least two items.' }
  const squares = sum(
    table.flatMap((row, i) =>
      row.map((count, j) => {
        const itemExpected = (2 - at(share, i) - at(share, j)) / 2 / (size - 1)
        const term = ((i === j ? 1 : 0) - expected) / (1 - expected) - (2 * (1 - ac1) * (itemExpected - expected)) / (1 - expected)
        return count * (term - ac1) ** 2
      }),
    ),
  )
  const standardError = Math.sqrt(squares / (n - 1) / n)
  if (standardError === 0)
    return {
      ac1,
      standardError,
      interval: null,
      reason: 'The standard error is 0, as with full agreement, so the data say nothing about how far AC1 could be off.',
    }
  return { ac1, standardError, interval: symmetricInterval(ac1, z * standardError, level, 'ac1_normal'), reason: null }
}
