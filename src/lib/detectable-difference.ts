/** z₀.₉₇₅ + z₀.₈: a two-sided test at the 5 % level that finds a true difference four times in five. */
const usualCriticalSum = 1.959963984540054 + 0.8416212335729143

/**
 * The smallest true difference that is missed at most one time in five: (z_{α/2} + z_power) √(variance / n), in the unit of the scores.
 * The one formula for it: quotes, the sample chooser, comparisons, reports and sample sizes use it (Miller 2024, arXiv 2411.00640).
 * @param variance of the paired difference on one task
 * @param criticalSum z_{α/2} + z_power; 5 % and 80 % unless given
 */
export function detectableDifference(variance: number, tasks: number, criticalSum = usualCriticalSum): number {
  return criticalSum * Math.sqrt(variance / tasks)
}

/** Variances of two models that are right half of the time: ω² between tasks, and 2σ² of one answer of each (Miller's worked example). */
const betweenTasks = 1 / 9
const withinTasks = 1 / 3
/** From a rate of one half no difference can be larger. */
const largest = 0.5

/**
 * What is said of a comparison before it runs, in (0, 1]: two models that are right half of the time, on the same tasks, each asked
 * `epochs` times. Null where even the largest difference could be missed.
 */
export function plannedDetectableDifference(tasks: number, epochs: number): number | null {
  if (!(tasks > 0) || !(epochs > 0)) return null
  const difference = detectableDifference(betweenTasks + withinTasks / epochs, tasks)
  return difference <= largest ? difference : null
}
