/**
 * Shares one cap among arms, in micro-USD: each gets what it can cost at most where the cap pays for all, and else its proportion.
 * The shares never add up to more than the cap.
 */
export function shareCap(cap: bigint, bounds: readonly bigint[]): bigint[] {
  const total = bounds.reduce((sum, bound) => sum + bound, 0n)
  return total <= cap ? [...bounds] : bounds.map(bound => (cap * bound) / total)
}
