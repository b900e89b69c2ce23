import { requireCount, requireFinite, requireOpenUnit, requirePositive } from './checks.ts'
import { finiteExp } from './distributions/gamma.ts'
import { normalCritical } from './distributions/normal.ts'
import type { Interval } from './estimate.ts'

/** What a normal mixture needs to know of a running mean. */
export interface RunningMean {
  readonly mean: number
  /** Values so far. */
  readonly n: number
  /** Variance of one value, squared units. The asymptotic form uses the running variance. */
  readonly sigma2: number
  /** Variance of the mixing normal: the squared size of the effects looked for. */
  readonly tau2: number
}

export interface AlwaysValidTest {
  /** Mixture likelihood ratio: evidence against `theta0`; stop when at least 1/α. */
  readonly lambda: number
  /** min(1, 1/λ) at this n. The p-value valid at every look is the smallest of these so far. */
  readonly p: number
}

/**
 * Mixture sequential probability ratio test: λ = sqrt(σ²/(σ²+nτ²)) exp(n²τ²(x̄-θ0)² / (2σ²(σ²+nτ²))).
 *
 * Valid however often one looks. Assumes independent values, close to normal with known variance.
 * Source: Robbins 1970; Johari et al. 2015/2022 (arXiv 1512.04922).
 */
export function mixtureSprt(running: RunningMean, theta0 = 0): AlwaysValidTest {
  requireFinite('theta0', theta0)
  const { mean, n, sigma2, tau2 } = checked(running)
  const spread = sigma2 + n * tau2
  const exponent = (n * n * tau2 * (mean - theta0) ** 2) / (2 * sigma2 * spread)
  const logLambda = Math.log(sigma2 / spread) / 2 + exponent
  return { lambda: finiteExp(logLambda), p: Math.min(1, Math.exp(-logLambda)) }
}

/**
 * Confidence sequence x̄ ± sqrt( σ²(σ²+nτ²)/(n²τ²) ln((σ²+nτ²)/(σ²α²)) ): covers the mean at all n at once with probability 1-α.
 * The inversion of `mixtureSprt`, with its assumptions. Source: Robbins 1970; Waudby-Smith et al. 2024 (arXiv 2103.06476).
 */
export function confidenceSequence(running: RunningMean, alpha = 0.05): { readonly interval: Interval; readonly fixedHalfWidth: number } {
  requireOpenUnit('alpha', alpha)
  const { mean, n, sigma2, tau2 } = checked(running)
  const spread = sigma2 + n * tau2
  const halfWidth = Math.sqrt(((sigma2 * spread) / (n * n * tau2)) * Math.log(spread / (sigma2 * alpha * alpha)))
  const level = 1 - alpha
  return {
    interval: { low: mean - halfWidth, high: mean + halfWidth, level, method: 'normal_mixture_sequence' },
    fixedHalfWidth: normalCritical(level) * Math.sqrt(sigma2 / n),
  }
}

function checked(running: RunningMean): RunningMean {
  requireFinite('mean', running.mean)
  requireCount('n', running.n, 1)
  requirePositive('sigma2', running.sigma2)
  requirePositive('tau2', running.tau2)
  return running
}
