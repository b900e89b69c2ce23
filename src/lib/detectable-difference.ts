import { mcnemarDetectableDifference } from './mcnemar-power.ts'

/** z₀.₉₇₅ + z₀.₈: a two-sided test at the 5 % level that finds a true difference four times in five. */
const usualCriticalSum = 1.959963984540054 + 0.8416212335729143

/**
 * The smallest true difference of two means that is missed at most one time in five: (z_{α/2} + z_power) √(variance / n), in the unit of
 * the scores (Miller 2024, arXiv 2411.00640). Pass/fail on independent tasks is tested exactly: see `mcnemarDetectableDifference`.
 * @param variance of the paired difference on one task
 * @param criticalSum z_{α/2} + z_power; 5 % and 80 % unless given
 */
export function detectableDifference(variance: number, tasks: number, criticalSum = usualCriticalSum): number {
  return criticalSum * Math.sqrt(variance / tasks)
}

/**
 * Two models that are each right half of the time and err independently: ω² of their tasks, and 2σ² of one answer of each, where the
 * chance to pass a task is spread evenly from 0 to 1. Models that fail the same tasks differ less by luck, so smaller differences show.
 */
const betweenTasks = 1 / 6
const withinTasks = 1 / 3
/** From a rate of one half no difference can be larger. */
const largest = 0.5

/** Variance of the difference on one task that is assumed before a run. */
export function plannedVariance(epochs: number): number {
  return betweenTasks + withinTasks / epochs
}

/** Epochs that count as evidence: at temperature 0 a model mostly repeats itself, so that further epochs add none. */
export function epochsOfEvidence(epochs: number, temperature: number | 'none' | null): number {
  return temperature === 0 ? 1 : epochs
}

/** Whether exactly one of two independent models passes, at rates 1/2 ± difference/2. */
const independently = (difference: number): number => (1 + difference ** 2) / 2

/**
 * What is said of a comparison before it runs, in (0, 1]: two models that are right half of the time and err independently, on the same
 * tasks. Of one epoch by the exact McNemar test, of several by the t test of task means. Null where even the largest difference could be
 * missed.
 * @param epochs of evidence, see `epochsOfEvidence`
 */
export function plannedDetectableDifference(tasks: number, epochs: number): number | null {
  if (!(tasks > 0) || !(epochs > 0)) return null
  if (epochs === 1) return mcnemarDetectableDifference(tasks, independently, { largest })
  const difference = detectableDifference(plannedVariance(epochs), tasks)
  return difference <= largest ? difference : null
}
