import { requireOpenUnit, requireSuccesses } from './checks.ts'
import { type ConstrainedForm, constrainedRates } from './constrained-rates.ts'
import { normalQuantile, normalSf } from './distributions/normal.ts'

export interface TwoProportionNoninferiority {
  /** Score statistic of Farrington and Manning, and its one-sided p-value. */
  readonly zFarringtonManning: number | null
  readonly pFarringtonManning: number | null
  /** The same with the factor N/(N-1) in the variance, after Miettinen and Nurminen. */
  readonly zMiettinenNurminen: number | null
  readonly pMiettinenNurminen: number | null
  readonly pWald: number | null
  /** One-sided Wald lower bound of p_new - p_old. */
  readonly waldLowerBound: number | null
  readonly reason: string | null
}

/** Successes of the new and the old model on questions of their own. */
export interface IndependentCounts {
  readonly successesNew: number
  readonly trialsNew: number
  readonly successesOld: number
  readonly trialsOld: number
}

/**
 * Non-inferiority of p_new against p_old - M from independent samples: (p_new - p_old + M) / SE, the SE at the rates that are
 * likeliest under p_new - p_old = -M.
 *
 * @param margin M in (0, 1), fixed before the data are seen. The score forms are the ones to report.
 * @param form leave it out, except to reproduce figures of statsmodels: see `ConstrainedForm`.
 * Source: Farrington & Manning 1990; Miettinen & Nurminen 1985.
 */
export function noninferiorityTwoProportions(
  counts: IndependentCounts,
  margin: number,
  alpha = 0.05,
  form: ConstrainedForm = 'exact',
): TwoProportionNoninferiority {
  const { successesNew, trialsNew, successesOld, trialsOld } = counts
  requireSuccesses(successesNew, trialsNew)
  requireSuccesses(successesOld, trialsOld)
  requireOpenUnit('margin', margin)
  requireOpenUnit('alpha', alpha)
  if (trialsNew === 0 || trialsOld === 0) {
    const score = { zFarringtonManning: null, pFarringtonManning: null, zMiettinenNurminen: null, pMiettinenNurminen: null }
    return { ...score, pWald: null, waldLowerBound: null, reason: 'One of the groups has no trials.' }
  }
  const [pNew, pOld] = [successesNew / trialsNew, successesOld / trialsOld]
  const excess = pNew - pOld + margin
  const errorAt = (first: number, second: number): number =>
    Math.sqrt((first * (1 - first)) / trialsNew + (second * (1 - second)) / trialsOld)
  const samples = { k1: successesNew, n1: trialsNew, k2: successesOld, n2: trialsOld }
  // never 0: rates that differ by the margin are not both 0 or 1
  const scoreError = errorAt(...constrainedRates(samples, -margin, form))
  const waldError = errorAt(pNew, pOld)
  const total = trialsNew + trialsOld
  const zFarringtonManning = excess / scoreError
  const zMiettinenNurminen = zFarringtonManning * Math.sqrt((total - 1) / total)
  return {
    zFarringtonManning,
    pFarringtonManning: normalSf(zFarringtonManning),
    zMiettinenNurminen,
    pMiettinenNurminen: normalSf(zMiettinenNurminen),
    pWald: waldError === 0 ? null : normalSf(excess / waldError),
    waldLowerBound: waldError === 0 ? null : pNew - pOld + normalQuantile(alpha) * waldError,
    reason: waldError === 0 ? 'All outcomes are equal within each group, so the Wald standard error is 0.' : null,
  }
}
