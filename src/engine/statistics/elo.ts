import { requireFinite, requirePositive, requireUnit } from './checks.ts'

/** Rating points per factor of 10 in the odds. */
export const ELO_SCALE = 400

/** Probability that a player rated `ratingA` beats one rated `ratingB`: 1 / (1 + 10^((R_B - R_A)/400)). Source: Elo 1978. */
export function eloExpected(ratingA: number, ratingB: number): number {
  requireFinite('ratingA', ratingA)
  requireFinite('ratingB', ratingB)
  return 1 / (1 + 10 ** ((ratingB - ratingA) / ELO_SCALE))
}

/**
 * Both ratings after one game: R + k (score - expected); their sum does not change.
 *
 * @param scoreA 1 if A won, 0.5 for a tie, 0 if A lost.
 * @param k size of a step, in rating points.
 * The result of a series depends on its order: for a fixed set of games use `bradleyTerry`. Source: Elo 1978.
 */
export function eloUpdate(
  ratingA: number,
  ratingB: number,
  scoreA: number,
  k = 32,
): { expectedA: number; ratingA: number; ratingB: number } {
  requireUnit('scoreA', scoreA)
  requirePositive('k', k)
  const expectedA = eloExpected(ratingA, ratingB)
  const step = k * (scoreA - expectedA)
  return { expectedA, ratingA: ratingA + step, ratingB: ratingB - step }
}
