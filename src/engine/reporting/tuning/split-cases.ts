import { orderCases, type RacedCase } from '../../statistics/race/order-cases.ts'

export interface SplitCases<Case> {
  /** For the prompt search alone. */
  readonly training: readonly Case[]
  /** For the race alone. */
  readonly heldOut: readonly Case[]
}

/** Splits cases by their hash order, clusters whole, the same on every machine. @param share null: no search, and all are for the race */
export function splitCases<Case extends RacedCase>(cases: readonly Case[], seed: number, share: number | null): SplitCases<Case> {
  if (share === null) return { training: [], heldOut: cases }
  const ordered = orderCases(cases, seed)
  let end = Math.round(share * ordered.length)
  while (end < ordered.length && ordered[end]?.cluster !== null && ordered[end]?.cluster === ordered[end - 1]?.cluster) end++
  return { training: ordered.slice(0, end), heldOut: ordered.slice(end) }
}
