import { requireCount } from './checks.ts'
import { binomialPmf, signTest } from './distributions/binomial.ts'
import { chiSquaredSf } from './distributions/chi-squared.ts'

export interface McNemar {
  /** Exact two-sided p-value: 2 P(X <= min(b, c)) for X ~ Bin(b+c, 1/2), at most 1; 1 when nothing is discordant. */
  readonly pExact: number
  /** Exact p-value less half the probability of what was observed; closer to its nominal size. */
  readonly pMid: number
  /** (|b-c| - 1)²/(b+c), continuity corrected. */
  readonly chiSquaredCorrected: number | null
  readonly pCorrected: number | null
  /** p-value of (b-c)²/(b+c), without correction. */
  readonly pChiSquared: number | null
  readonly reason: string | null
}

/**
 * McNemar's test for two models on the same pass/fail questions.
 *
 * @param onlyFirst questions that only the first model passed (b).
 * @param onlySecond questions that only the second model passed (c).
 * Assumes independent questions. The exact form is the one to report.
 * Source: McNemar 1947; exact and mid-p: Fagerland, Lydersen & Laake 2013.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemar {
  requireCount('onlyFirst', onlyFirst)
  requireCount('onlySecond', onlySecond)
  const discordant = onlyFirst + onlySecond
  if (discordant === 0) {
    const reason = 'The models agree on every question, so the chi-squared forms are undefined.'
    return { pExact: 1, pMid: 1, chiSquaredCorrected: null, pCorrected: null, pChiSquared: null, reason }
  }
  const fewer = Math.min(onlyFirst, onlySecond)
  const pExact = signTest(onlyFirst, onlySecond)
  const gap = Math.abs(onlyFirst - onlySecond)
  const chiSquaredCorrected = Math.max(0, gap - 1) ** 2 / discordant
  return {
    pExact,
    pMid: gap === 0 ? 1 - binomialPmf(fewer, discordant, 0.5) / 2 : pExact - binomialPmf(fewer, discordant, 0.5),
    chiSquaredCorrected,
    pCorrected: chiSquaredSf(chiSquaredCorrected, 1),
    pChiSquared: chiSquaredSf(gap ** 2 / discordant, 1),
    reason: null,
  }
}
