import { at, mean, sum, variance, whyUnusable } from './sample.ts'

export interface VarianceComponents {
  readonly mean: number | null
  /** sd of the question means / sqrt(n). */
  readonly standardError: number | null
  /** E[σ_i²]: mean variance of repeated answers to one question. */
  readonly within: number | null
  /** ω²: variance of the questions' true scores, by moments. May be negative; clamp to 0 for planning, never for reporting. */
  readonly between: number | null
  /** Standard error of the mean with one answer per question. */
  readonly standardErrorIfOne: number | null
  /** Standard error of the mean with endlessly many answers per question; ω² clamped to 0. */
  readonly standardErrorIfMany: number | null
  readonly reason: string | null
}

/**
 * How much of the variance of a mean comes from the choice of questions and how much from repeated answers.
 *
 * Var(mean) = (ω² + E[σ_i²]/K) / n; ω² = Var(question means) - mean(σ_i²/K_i). Squared units of the scores.
 * @param scores the answers to each question, at least two per question; questions may differ in number.
 * Assumes independent questions and independent answers to one. Source: Miller 2024 (arXiv 2411.00640), section on resampling.
 */
export function varianceComponents(scores: readonly ArrayLike<number>[]): VarianceComponents {
  const n = scores.length
  const reason = whyNoComponents(scores)
  if (reason !== null) {
    const nothing = { mean: null, standardError: null, within: null, between: null, standardErrorIfOne: null, standardErrorIfMany: null }
    return { ...nothing, reason }
  }
  const means = scores.map(mean)
  const variances = scores.map(variance)
  const within = sum(variances) / n
  const ofMeans = variance(means)
  const between = ofMeans - sum(variances.map((value, i) => value / at(scores, i).length)) / n
  return {
    mean: mean(means),
    standardError: Math.sqrt(ofMeans / n),
    within,
    between,
    standardErrorIfOne: Math.sqrt(Math.max(0, between + within) / n),
    standardErrorIfMany: Math.sqrt(Math.max(0, between) / n),
    reason: null,
  }
}

function whyNoComponents(scores: readonly ArrayLike<number>[]): string | null {
  if (scores.length < 2) return `There are ${scores.length} questions; variance between questions needs at least two.`
  for (const [i, answers] of scores.entries()) {
    if (answers.length < 2)
      return `The question at position ${i} has ${answers.length} answers; variance within questions needs at least two.`
    const unusable = whyUnusable(answers)
    if (unusable !== null) return `The question at position ${i} is unusable. ${unusable}`
  }
  return null
}
