import { requireCount } from './checks.ts'
import { signTest } from './distributions/binomial.ts'
import { unless } from './estimate.ts'

export interface WinRate {
  /** (wins + ties/2) / n. */
  readonly winRate: number | null
  /** SE_CLT of the scores 1, 1/2 and 0. */
  readonly standardError: number | null
  /** Exact two-sided sign test of wins against losses, ties left out; 1 when all are ties. */
  readonly pSignTest: number | null
  readonly reason: string | null
}

/**
 * Win rate of one model over another with ties as half a win.
 *
 * Assumes independent comparisons. Source: SE_CLT as in Miller 2024; sign test.
 */
export function winRateWithTies(wins: number, losses: number, ties: number): WinRate {
  requireCount('wins', wins)
  requireCount('losses', losses)
  requireCount('ties', ties)
  const n = wins + losses + ties
  if (n === 0) return { winRate: null, standardError: null, pSignTest: null, reason: 'There are no comparisons.' }
  const winRate = (wins + ties / 2) / n
  const squares = wins * (1 - winRate) ** 2 + ties * (0.5 - winRate) ** 2 + losses * winRate ** 2
  const reason = n < 2 ? 'A single comparison has no standard error; at least two are needed.' : null
  return { winRate, standardError: unless(reason, () => Math.sqrt(squares / (n - 1) / n)), pSignTest: signTest(wins, losses), reason }
}
