import type { PairedComparison } from './compare.ts'
import { binomialCdf } from './distributions/binomial.ts'
import { tCdf } from './distributions/student-t.ts'
import { type Sample } from './sample.ts'
import { signFlipMean } from './sign-flips.ts'

/** p-values of a paired difference from one side at a time, unadjusted. */
export interface OneSidedPair {
  /** Of "the first is no better": small where the data show that it is better. */
  readonly better: number
  /** Of "the first is no worse". */
  readonly worse: number
}

type Tested = Pick<PairedComparison, 'test' | 'p' | 'wins' | 'losses' | 'difference' | 'standardError' | 'n'>

/**
 * The one-sided versions of the test that `comparePaired` chose: exact McNemar, sign-flip permutation, or Student's t.
 * @param d differences, one per question
 * @param clusters how many there are; null where questions are independent
 */
export function oneSidedPair(
  { test, p, wins, losses, difference, standardError, n }: Tested,
  d: Sample,
  clusters: number | null,
): OneSidedPair | null {
  if (p === null || difference === null) return null
  if (test === 'mcnemar_exact') {
    const discordant = wins + losses
    return { better: binomialCdf(losses, discordant, 0.5), worse: binomialCdf(wins, discordant, 0.5) }
  }
  if (test === 'permutation_exact') {
    const { above, below } = signFlipMean(d)
    return { better: above(0), worse: below(0) }
  }
  if (standardError === null || standardError === 0) return null
  const df = (clusters ?? n) - 1
  const t = difference / standardError
  return { better: tCdf(-t, df), worse: tCdf(t, df) }
}
