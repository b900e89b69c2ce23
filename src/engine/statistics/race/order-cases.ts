import { createHash } from 'node:crypto'

export interface RacedCase {
  readonly id: string
  /** Null: independent of all others. */
  readonly cluster: string | null
}

/**
 * Cases in the order of SHA-256 of `seed:case_id`, the same on every machine. A cluster stays whole: it takes the place of its first
 * case, and its cases follow one another.
 */
export function orderCases<Case extends RacedCase>(cases: readonly Case[], seed: number): Case[] {
  const ranked = cases
    .map(item => ({ item, rank: createHash('sha256').update(`${seed}:${item.id}`).digest('hex') }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
  const groups = Map.groupBy(ranked, ({ item }) => (item.cluster === null ? `case ${item.id}` : `cluster ${item.cluster}`))
  return [...groups.values()].flatMap(group => group.map(({ item }) => item))
}

const shares = [0.2, 0.4, 0.6, 0.8, 1]
/** Below it there is one look. */
const leastForLooks = 50

/** How many of the ordered cases each look covers: 20, 40, 60, 80 and 100 %, each to the end of its last cluster. */
export function planLooks(ordered: readonly RacedCase[], mode: 'race' | 'full'): number[] {
  const n = ordered.length
  if (mode === 'full' || n < leastForLooks) return [n]
  const ends = shares.map(share => {
    let end = Math.min(n, Math.round(share * n))
    while (end < n && ordered[end]?.cluster !== null && ordered[end]?.cluster === ordered[end - 1]?.cluster) end++
    return end
  })
  return [...new Set(ends)]
}
