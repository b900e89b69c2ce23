/**
 * Divides a spending limit in proportion to what each run can cost at most. A run whose bound is unknown counts like the dearest one.
 * @returns micro-USD for each bound, never more than the limit together
 */
export function shareLimit(limit: bigint, bounds: readonly (bigint | null)[]): bigint[] {
  const dearest = bounds.reduce<bigint>((most, bound) => (bound !== null && bound > most ? bound : most), 0n)
  const known = bounds.map(bound => bound ?? (dearest > 0n ? dearest : 1n))
  const total = known.reduce((sum, bound) => sum + bound, 0n)
  return known.map(bound => (total === 0n ? 0n : (limit * bound) / total))
}
