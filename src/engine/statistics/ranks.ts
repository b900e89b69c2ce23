import { at, type Sample } from './sample.ts'

/** Positions in ascending order of value. */
export function sortedOrder(values: Sample): Uint32Array {
  return Uint32Array.from({ length: values.length }, (_, i) => i).sort((i, j) => at(values, i) - at(values, j))
}

/** Ranks from 1, equal values sharing the average of theirs, and Σ(t³ - t) over the groups of t equal values. */
export function averageRanks(values: Sample): { readonly ranks: Float64Array; readonly tieCubes: number } {
  const order = sortedOrder(values)
  const ranks = new Float64Array(values.length)
  let tieCubes = 0
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && at(values, at(order, end)) === at(values, at(order, start))) end++
    for (let i = start; i < end; i++) ranks[at(order, i)] = (start + 1 + end) / 2
    tieCubes += (end - start) ** 3 - (end - start)
    start = end
  }
  return { ranks, tieCubes }
}
