import { requireSameLength } from './checks.ts'
import { at, type Sample } from './sample.ts'

interface Totals {
  /** The distinct keys in the order in which they first appear. */
  readonly labels: string[]
  /** Sum of the values of each key. */
  readonly sums: Float64Array
  /** Number of values of each key. */
  readonly sizes: Float64Array
}

/** For each value, the number of its key, counted from 0 in the order in which keys first appear. */
function groupIndex(keys: readonly string[]): { readonly labels: string[]; readonly index: Int32Array } {
  const numbers = new Map<string, number>()
  const index = Int32Array.from(keys, key => {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    return numbers.size - 1
  })
  return { labels: [...numbers.keys()], index }
}

/** Sum and number of the values of each key. */
export function totalsByKey(values: Sample, keys: readonly string[]): Totals {
  requireSameLength('values', values, 'keys', keys)
  const { labels, index } = groupIndex(keys)
  const sums = new Float64Array(labels.length)
  const sizes = new Float64Array(labels.length)
  for (let i = 0; i < index.length; i++) {
    const group = at(index, i)
    sums[group] = at(sums, group) + at(values, i)
    sizes[group] = at(sizes, group) + 1
  }
  return { labels, sums, sizes }
}

/**
 * The mean of the values of each key, keys in the order in which they first appear: turns repeated answers (epochs) into one
 * value per question, which is the unit of analysis.
 */
export function meansByKey(values: Sample, keys: readonly string[]): { readonly keys: string[]; readonly means: Float64Array } {
  const { labels, sums, sizes } = totalsByKey(values, keys)
  return { keys: labels, means: sums.map((total, i) => total / at(sizes, i)) }
}
