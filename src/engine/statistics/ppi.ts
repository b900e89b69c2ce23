import { requireSameLength, requireUnit } from './checks.ts'
import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'
import { symmetricInterval } from './means.ts'
import { at, mean, type Sample, sumOfProducts, sumOfSquares, variance, whyUnusable } from './sample.ts'

export interface PpiMean {
  /** Estimated mean human score, in its unit. */
  readonly estimate: number | null
  readonly standardError: number | null
  /** Weight given to the judge: 0 ignores it, 1 is classic PPI. */
  readonly lambda: number | null
  readonly interval: Interval | null
  readonly reason: string | null
}

/** Human and judge scores of the same few items, and the judge's alone of many. */
export interface PpiData {
  readonly human: Sample
  readonly judgeOnLabeled: Sample
  readonly judgeOnUnlabeled: Sample
}

/**
 * Prediction-powered mean: λ mean(F_unlabeled) + mean(Y - λ F), with a normal interval.
 *
 * Variance λ² Var(F_unl)/N + Var(Y - λF)/n, variances with the number of values in the denominator. Without a λ the power-tuned
 * Cov(Y, F) / ((1 + n/N) Var(F)) cut to [0, 1] is used, Var(F) being the sample variance of all the judge's scores, as in ppi_py.
 * Assumes labeled and unlabeled items from one population. Source: Angelopoulos et al. 2023 (PPI) and 2024 (PPI++, arXiv 2311.01453).
 */
export function ppiMean({ human, judgeOnLabeled, judgeOnUnlabeled }: PpiData, options: { lambda?: number; level?: number } = {}): PpiMean {
  const z = normalCritical(options.level ?? 0.95)
  requireSameLength('human', human, 'judgeOnLabeled', judgeOnLabeled)
  if (options.lambda !== undefined) requireUnit('lambda', options.lambda)
  const reason =
    whyUnusable(human, 'human score') ??
    whyUnusable(judgeOnLabeled, 'judge score') ??
    whyUnusable(judgeOnUnlabeled, 'unlabeled judge score')
  if (reason !== null) return { estimate: null, standardError: null, lambda: null, interval: null, reason }
  const n = human.length
  const size = judgeOnUnlabeled.length
  const lambda = options.lambda ?? tunedLambda({ human, judgeOnLabeled, judgeOnUnlabeled })
  const rectifier = Float64Array.from(human, (score, i) => score - lambda * at(judgeOnLabeled, i))
  const estimate = lambda * mean(judgeOnUnlabeled) + mean(rectifier)
  const squaredError = (lambda ** 2 * sumOfSquares(judgeOnUnlabeled)) / size ** 2 + sumOfSquares(rectifier) / n ** 2
  const noError = whyNoError(n, size, squaredError)
  if (noError !== null) return { estimate, standardError: null, lambda, interval: null, reason: noError }
  const standardError = Math.sqrt(squaredError)
  return {
    estimate,
    standardError,
    lambda,
    interval: symmetricInterval(estimate, z * standardError, options.level ?? 0.95, 'ppi_normal'),
    reason: null,
  }
}

function tunedLambda({ human, judgeOnLabeled, judgeOnUnlabeled }: PpiData): number {
  const n = human.length
  const size = judgeOnUnlabeled.length
  const all = Float64Array.from({ length: n + size }, (_, i) => (i < n ? at(judgeOnLabeled, i) : at(judgeOnUnlabeled, i - n)))
  const judgeVariance = variance(all)
  if (judgeVariance === 0) return 0
  const covariance = sumOfProducts(human, judgeOnLabeled) / n
  return Math.max(0, Math.min(1, covariance / ((1 + n / size) * judgeVariance)))
}

function whyNoError(n: number, size: number, squaredError: number): string | null {
  if (n < 2 || size < 2) return 'A standard error needs at least two labeled and two unlabeled items.'
  return squaredError === 0 ? 'The corrected scores do not vary, so the data say nothing about how far the mean could be off.' : null
}
