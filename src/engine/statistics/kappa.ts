import { requireCount } from './checks.ts'
import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'
import { symmetricInterval } from './means.ts'
import { at, sum } from './sample.ts'

/** How near a disagreement comes to agreement over ordered categories: not at all, linearly, or quadratically in their distance. */
export type KappaWeights = 'none' | 'linear' | 'quadratic'

export interface CohenKappa {
  /** (po - pe) / (1 - pe), at most 1. */
  readonly kappa: number | null
  readonly standardError: number | null
  /** Standard error under chance agreement, for a test of kappa = 0. */
  readonly standardErrorNull: number | null
  /** kappa ± z SE. */
  readonly interval: Interval | null
  /** po: weighted share of agreement. */
  readonly agreement: number | null
  /** Gwet's AC1, which stays meaningful when one category dominates; unweighted. */
  readonly gwetAc1: number | null
  /** Share of each category over both raters. */
  readonly prevalence: number[] | null
  readonly reason: string | null
}

/**
 * Cohen's kappa of two raters from their table of counts, `table[i][j]` = items put in category i by the first, j by the second.
 *
 * Agreement weights w = 1 - |i-j|^m/(K-1)^m. AC1 has pe = Σ π(1-π)/(K-1). Assumes independent items; report prevalence beside it.
 * Source: Cohen 1960, 1968; standard errors Fleiss, Cohen & Everitt 1969; AC1 Gwet 2008.
 */
export function cohenKappa(table: readonly (readonly number[])[], weights: KappaWeights = 'none', level = 0.95): CohenKappa {
  const z = normalCritical(level)
  const size = table.length
  for (const [i, row] of table.entries()) {
    if (row.length !== size)
      throw new RangeError(`row ${i} of the table has ${row.length} entries and the table ${size} rows; give a square table`)
    row.forEach((count, j) => requireCount(`table[${i}][${j}]`, count))
  }
  const n = sum(table.map(sum))
  const base = { kappa: null, standardError: null, standardErrorNull: null, interval: null }
  if (n === 0) return { ...base, agreement: null, gwetAc1: null, prevalence: null, reason: 'There are no rated items.' }
  const cells = table.map(row => row.map(count => count / n))
  const rows = cells.map(sum)
  const columns = rows.map((_, j) => sum(cells.map(row => at(row, j))))
  const prevalence = rows.map((share, i) => (share + at(columns, i)) / 2)
  const weight = (i: number, j: number): number => agreementWeight(weights, i, j, size)
  const over = (term: (i: number, j: number) => number): number => sum(rows.map((_, i) => sum(columns.map((__, j) => term(i, j)))))
  const agreement = over((i, j) => weight(i, j) * at(at(cells, i), j))
  const expected = over((i, j) => weight(i, j) * at(rows, i) * at(columns, j))
  const classes = prevalence.filter(share => share > 0).length
  const gwetAc1 =
    size < 2
      ? null
      : gwet(
          over((i, j) => (i === j ? at(at(cells, i), j) : 0)),
          prevalence,
        )
  if (classes < 2)
    return { ...base, agreement, gwetAc1, prevalence, reason: 'All ratings are of one class, so chance alone explains the agreement.' }
  const kappa = (agreement - expected) / (1 - expected)
  const rowWeights = rows.map((_, i) => sum(columns.map((share, j) => share * weight(i, j))))
  const columnWeights = columns.map((_, j) => sum(rows.map((share, i) => share * weight(i, j))))
  const spread = over((i, j) => at(at(cells, i), j) * (weight(i, j) - (at(rowWeights, i) + at(columnWeights, j)) * (1 - kappa)) ** 2)
  const spreadNull = over((i, j) => at(rows, i) * at(columns, j) * (weight(i, j) - at(rowWeights, i) - at(columnWeights, j)) ** 2)
  const error = (squares: number, center: number): number => Math.sqrt(Math.max(0, squares - center ** 2) / n) / (1 - expected)
  const standardError = error(spread, kappa - expected * (1 - kappa))
  return {
    kappa,
    standardError,
    standardErrorNull: error(spreadNull, expected),
    interval: standardError > 0 ? symmetricInterval(kappa, z * standardError, level, 'kappa_normal') : null,
    agreement,
    gwetAc1,
    prevalence,
    reason:
      standardError > 0
        ? null
        : 'The standard error is 0, as with full agreement, so the data say nothing about how far kappa could be off.',
  }
}

function agreementWeight(weights: KappaWeights, i: number, j: number, size: number): number {
  if (weights === 'none') return i === j ? 1 : 0
  return 1 - (Math.abs(i - j) / (size - 1)) ** (weights === 'linear' ? 1 : 2)
}

function gwet(agreement: number, prevalence: readonly number[]): number {
  const expected = sum(prevalence.map(share => share * (1 - share))) / (prevalence.length - 1)
  return (agreement - expected) / (1 - expected)
}

/** The table of counts of two raters' labels, over the labels that occur, in ascending order of text or number. */
export function ratingTable<L extends string | number>(first: readonly L[], second: readonly L[]): { labels: L[]; table: number[][] } {
  if (first.length !== second.length) {
    throw new RangeError(`the raters gave ${first.length} and ${second.length} labels; give one of each per item, in the same order`)
  }
  const labels = [...new Set([...first, ...second])].sort((a, b) => (a < b ? -1 : 1))
  const position = new Map(labels.map((label, i) => [label, i]))
  const table = labels.map(() => labels.map(() => 0))
  first.forEach((label, item) => {
    const row = at(table, position.get(label) ?? -1)
    const column = position.get(at(second, item)) ?? -1
    row[column] = at(row, column) + 1
  })
  return { labels, table }
}
