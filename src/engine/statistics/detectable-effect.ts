import { requireCount, requireOpenUnit, requireUnit } from './checks.ts'
import { comparisonDetectableEffect } from './sample-size.ts'

/** What is known of a pass/fail comparison before it runs. */
export interface ComparisonPlan {
  /** Questions; in the unpaired case, questions per model. */
  readonly tasks: number
  /** Answers of each model to each question; 1 unless given. */
  readonly epochs?: number
  /** Assumed success rate of both models. */
  readonly rate: number
  /** Confidence of the two-sided test, 0.95 unless given. */
  readonly level?: number
  /** 0.8 unless given. */
  readonly power?: number
  /**
   * Share of the variance of one answer, p(1-p), that lies between questions rather than between repeated answers to one.
   * 1/3 unless given: what success probabilities spread evenly over [0, 1] have. 1 for models that always repeat themselves.
   */
  readonly betweenShare?: number
  /** Correlation of the two models' success probabilities over the questions; 1/3 unless given, as in Miller's example. */
  readonly correlation?: number
}

export interface DetectableEffect {
  /** Smallest difference of two success rates on the same questions that is detected with the given power. */
  readonly paired: number | null
  /** The same for two models on different questions. */
  readonly unpaired: number | null
  readonly reason: string | null
}

/**
 * Minimum detectable effect of a comparison that has not run yet: (z_{α/2} + z_power) sqrt((ω² + 2σ²/K)/n), a difference of rates.
 *
 * With v = p(1-p) and s the share between questions: σ² = (1-s) v, and ω² = 2 s v (1 - correlation) paired, 2 s v unpaired.
 * Independent questions; the normal approximation flatters plans of a few dozen questions. With the defaults at p = 0.5 this is
 * the worked example ω² = 1/9, σ² = 1/6 of Miller 2024 (arXiv 2411.00640).
 */
export function minimumDetectableEffect(plan: ComparisonPlan): DetectableEffect {
  const { tasks, epochs = 1, rate, level = 0.95, power = 0.8, betweenShare = 1 / 3, correlation = 1 / 3 } = plan
  requireCount('tasks', tasks)
  requireCount('epochs', epochs, 1)
  requireUnit('rate', rate)
  requireOpenUnit('level', level)
  requireUnit('betweenShare', betweenShare)
  if (!(correlation >= -1 && correlation <= 1)) throw new RangeError(`correlation is ${correlation}; give a number from -1 to 1`)
  if (tasks === 0) return { paired: null, unpaired: null, reason: 'There are no questions.' }
  const variance = rate * (1 - rate)
  const effect = (shared: number): number | null => {
    const within = (1 - betweenShare) * variance
    const omega2 = 2 * betweenShare * variance * (1 - shared)
    const variances = { omega2, sigma2A: within, sigma2B: within, answersA: epochs, answersB: epochs }
    const { value } = comparisonDetectableEffect(variances, tasks, { alpha: 1 - level, power })
    return value !== null && value <= Math.max(rate, 1 - rate) ? value : null
  }
  const paired = effect(correlation)
  const unpaired = effect(0)
  return { paired, unpaired, reason: paired === null || unpaired === null ? whyNone(variance, tasks) : null }
}

function whyNone(variance: number, tasks: number): string {
  if (variance === 0) return 'A rate of exactly 0 or 1 leaves no variation to plan with; assume a rate in between.'
  return `With ${tasks} questions even the largest possible difference from the assumed rate could be missed, or the assumed models never differ.`
}
