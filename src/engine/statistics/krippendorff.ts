import { at, sum } from './sample.ts'

/** Scale of the ratings, which decides how far two of them are apart. */
export type MeasurementLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio'

export interface KrippendorffAlpha {
  /** 1 - Do/De: 1 for full agreement, 0 for chance, negative for systematic disagreement. */
  readonly alpha: number | null
  /** Items with at least two ratings: the others carry no information. */
  readonly pairableUnits: number
  readonly reason: string | null
  readonly cautions: string[]
}

/**
 * Krippendorff's alpha for any number of raters, missing ratings (null) and four scales, from the coincidences of ratings.
 *
 * @param units for each item its ratings; order and number of raters do not matter.
 * Where all ratings are equal De = 0 and alpha is 1 by convention, with a caution that it then says nothing.
 * Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"; its example gives 0.743, 0.815, 0.849 and 0.797.
 */
export function krippendorffAlpha(units: readonly (readonly (number | null)[])[], level: MeasurementLevel): KrippendorffAlpha {
  const rated = units.map(unit => unit.filter(rating => rating !== null)).filter(unit => unit.length >= 2)
  const nothing = { alpha: null, pairableUnits: rated.length, cautions: [] }
  if (rated.length === 0) return { ...nothing, reason: 'No item has two or more ratings, so there is nothing to compare.' }
  if (rated.some(unit => unit.some(rating => !Number.isFinite(rating)))) return { ...nothing, reason: 'A rating is not a finite number.' }
  const values = [...new Set(rated.flat())].sort((a, b) => a - b)
  const position = new Map(values.map((value, i) => [value, i]))
  const coincidences = values.map(() => new Float64Array(values.length))
  for (const unit of rated) {
    const indices = unit.map(rating => position.get(rating) ?? -1)
    indices.forEach((i, first) => {
      const row = at(coincidences, i)
      indices.forEach((j, second) => {
        if (first !== second) row[j] = at(row, j) + 1 / (unit.length - 1)
      })
    })
  }
  const totals = coincidences.map(sum)
  const n = sum(totals)
  const distance = squaredDistance(level, values, totals)
  let observed = 0
  let expected = 0
  for (let i = 0; i < values.length; i++) {
    for (let j = 0; j < i; j++) {
      const squared = distance(j, i)
      observed += 2 * at(at(coincidences, i), j) * squared
      expected += (2 * at(totals, i) * at(totals, j) * squared) / (n - 1)
    }
  }
  if (expected === 0) {
    return {
      alpha: 1,
      pairableUnits: rated.length,
      reason: null,
      cautions: ['All ratings are equal: alpha is 1 by convention and says nothing about the raters.'],
    }
  }
  return { alpha: 1 - observed / expected, pairableUnits: rated.length, reason: null, cautions: [] }
}

/** δ² of the values at positions i < j of the ascending list. */
function squaredDistance(level: MeasurementLevel, values: readonly number[], totals: readonly number[]): (i: number, j: number) => number {
  switch (level) {
    case 'nominal':
      return () => 1
    case 'ordinal': {
      // ratings strictly below each value plus half its own: ranks up to a constant
      let below = 0
      const ranks = totals.map(total => {
        below += total
        return below - total / 2
      })
      return (i, j) => (at(ranks, j) - at(ranks, i)) ** 2
    }
    case 'interval':
      return (i, j) => (at(values, j) - at(values, i)) ** 2
    case 'ratio':
      return (i, j) => {
        const scale = at(values, j) + at(values, i)
        return scale === 0 ? 0 : ((at(values, j) - at(values, i)) / scale) ** 2
      }
  }
}
