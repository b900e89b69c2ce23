import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Seeded choices. Integer arithmetic only, so the same seed gives the same choices on every platform. */
export interface Draw {
  /** Uniform, both ends included. */
  int(min: number, max: number): number
  /** Uniform among the multiples of `step` from `min` to `max`. */
  multiple(step: number, min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** `count` different items in random order. @throws RangeError when there are not that many. */
  sample<Item>(items: readonly Item[], count: number): Item[]
}

/** @param seed 32-bit integer. */
export function drawFrom(seed: number): Draw {
  const source = xoroshiro128plus(seed)
  const int = (min: number, max: number) => uniformInt(source, min, max)
  return {
    int,
    multiple: (step, min, max) => step * int(Math.ceil(min / step), Math.floor(max / step)),
    pick: items => items[int(0, items.length - 1)] ?? items[0],
    sample: (items, count) => {
      if (count > items.length) throw new RangeError(`Cannot draw ${count} different items out of ${items.length}.`)
      const left = [...items]
      return Array.from({ length: count }, () => left.splice(int(0, left.length - 1), 1)).flat()
    },
  }
}
