import { requireCount, requireSuccesses } from './checks.ts'
import { defined, type Estimate, undefinedBecause } from './estimate.ts'
import { meanAndStandardError } from './means.ts'

function whyNotEstimable(n: number, c: number, k: number): string | null {
  requireSuccesses(c, n)
  requireCount('k', k, 1)
  return k > n ? `k = ${k} exceeds the n = ${n} attempts, so it cannot be estimated from them.` : null
}

/**
 * pass@k: probability that at least one of k attempts succeeds, 1 - C(n-c, k)/C(n, k), unbiased from c successes in n attempts.
 *
 * Assumes exchangeable attempts. Undefined for k > n: it is not extrapolated. Source: Chen et al. 2021 (arXiv 2107.03374), product form.
 */
export function passAtK(n: number, c: number, k: number): Estimate {
  const reason = whyNotEstimable(n, c, k)
  if (reason !== null) return undefinedBecause(reason)
  if (n - c < k) return defined(1)
  let noneSucceed = 1
  for (let i = n - c + 1; i <= n; i++) noneSucceed *= 1 - k / i
  return defined(1 - noneSucceed)
}

/**
 * pass^k: probability that all of k attempts succeed, C(c, k)/C(n, k), unbiased from c successes in n attempts.
 * Assumes exchangeable attempts. Source: Yao et al. 2024 (tau-bench, arXiv 2406.12045).
 */
export function passHatK(n: number, c: number, k: number): Estimate {
  const reason = whyNotEstimable(n, c, k)
  if (reason !== null) return undefinedBecause(reason)
  let allSucceed = 1
  for (let i = 0; i < k; i++) allSucceed *= Math.max(0, c - i) / (n - i)
  return defined(allSucceed)
}

/** The attempts at one problem. */
export interface Attempts {
  readonly n: number
  readonly c: number
}

export interface BenchmarkPassAtK {
  /** Mean over problems of the unbiased pass@k. */
  readonly mean: number | null
  /** SE_CLT over problems. */
  readonly standardError: number | null
  /** Mean of 1 - (1 - c/n)^k: biased low; only for comparison with sources that report it. */
  readonly biasedPlugin: number | null
  readonly reason: string | null
}

/**
 * pass@k of a benchmark.
 *
 * Assumes independent problems; undefined as soon as one problem has fewer than k attempts. Source: Chen et al. 2021.
 */
export function benchmarkPassAtK(problems: readonly Attempts[], k: number): BenchmarkPassAtK {
  const perProblem = problems.map(({ n, c }) => passAtK(n, c, k))
  const values: number[] = []
  for (const { value, reason } of perProblem) {
    if (value === null) return { mean: null, standardError: null, biasedPlugin: null, reason }
    values.push(value)
  }
  const { mean, standardError, reason } = meanAndStandardError(values)
  const plugin = problems.reduce((total, { n, c }) => total + 1 - (1 - c / n) ** k, 0) / problems.length
  return { mean, standardError, biasedPlugin: mean === null ? null : plugin, reason }
}
