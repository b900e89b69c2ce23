/** 97.5th and 80th percentile of the standard normal distribution: two-sided 5 % and 80 % power. */
const zAlpha = 1.959963984540054
const zPower = 0.8416212335729143
/** Variances of two models that are right half of the time: between questions, and of one answer, both models together. */
const between = 1 / 9
const within = 1 / 3
/** From a rate of one half no difference can be larger. */
const largest = 0.5

/**
 * Smallest paired difference of two pass rates, in (0, 1], that a run of `tasks` questions with `epochs` answers each is expected to
 * show: what a quote says as `minimum_detectable_difference`, told while the sample is chosen. Null where none could be told.
 *
 * (z₀.₉₇₅ + z₀.₈) √((ω² + 2σ²/K) / n) with ω² = 1/9 and σ² = 1/6, the worked example of Miller 2024 (arXiv 2411.00640).
 */
export function detectableDifference(tasks: number, epochs: number): number | null {
  if (!(tasks > 0) || !(epochs > 0)) return null
  const difference = (zAlpha + zPower) * Math.sqrt((between + within / epochs) / tasks)
  return difference <= largest ? difference : null
}
