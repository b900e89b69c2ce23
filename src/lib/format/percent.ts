import { nameAll } from './name-few.ts'
import { formatCount, formatNumber, formatSigned, noNumber } from './numbers.ts'

/** Scores are shown with one decimal of a percent everywhere, so that columns agree and no digit claims more than it knows. */
const scoreDecimals = 1

/** The parts of an estimate that its text needs; fractions in [0, 1], or a difference of two such in [−1, 1]. */
export interface EstimateFigures {
  readonly mean: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly n: number
}

/** A fraction as percent: 0.563 → `56.3 %`. */
export function formatPercent(fraction: number | null, decimals = scoreDecimals): string {
  if (fraction === null || !Number.isFinite(fraction)) return noNumber
  return `${formatNumber(fraction * 100, decimals)} %`
}

/** The level of an interval: `95 %`, `97.5 %`. */
export function formatLevel(level: number): string {
  return `${Number(formatNumber(level * 100, 2))} %`
}

/** The levels of several intervals, each once, lowest first: `95 %, 97.5 % and 98.33 %`. */
export function formatLevels(levels: readonly number[]): string {
  return nameAll([...new Set(levels.toSorted((a, b) => a - b).map(formatLevel))])
}

/**
 * `56.3 % ± 2.7`, or `98.0 % [93.0, 99.5]` where the two sides of the interval differ by a tenth of a point or more: a `±` there
 * would state a symmetry that the interval does not have. The figure after `±` is the longer side, in percentage points.
 */
export function formatScore(estimate: Pick<EstimateFigures, 'mean' | 'interval'>, withEnds = isLopsided(estimate)): string {
  const { mean, interval } = estimate
  const score = formatPercent(mean)
  if (mean === null || interval === null || !Number.isFinite(mean - interval.low) || !Number.isFinite(interval.high - mean)) return score
  if (withEnds) return `${score} [${formatNumber(interval.low * 100, scoreDecimals)}, ${formatNumber(interval.high * 100, scoreDecimals)}]`
  return `${score} ± ${formatNumber(Math.max(interval.high - mean, mean - interval.low) * 100, scoreDecimals)}`
}

/** Whether a `±` would state a symmetry that the interval does not have. Scores on one page show both ends where any of them is so. */
export function isLopsided({ mean, interval }: Pick<EstimateFigures, 'mean' | 'interval'>): boolean {
  if (mean === null || interval === null) return false
  return Math.abs(interval.high - mean - (mean - interval.low)) * 100 >= 0.1
}

/** A score with everything it must never be shown without: `56.3 % ± 2.7 (n = 1,319)`. */
export function formatEstimate(estimate: EstimateFigures, withEnds = isLopsided(estimate)): string {
  const score = estimate.mean === null ? 'no score' : formatScore(estimate, withEnds)
  return `${score} (n = ${formatCount(estimate.n)})`
}

/** Estimates that are read one under another, all in the same form: with both ends where any of them is lopsided. */
export function formatEstimates(estimates: readonly EstimateFigures[]): string[] {
  const withEnds = estimates.some(isLopsided)
  return estimates.map(estimate => formatEstimate(estimate, withEnds))
}

/** A standard error of fractions in percentage points: `3.5 points`. It has no share of anything, so no percent sign. */
export function formatStandardError(fraction: number | null): string {
  return fraction === null || !Number.isFinite(fraction) ? noNumber : `${formatNumber(fraction * 100, scoreDecimals)} points`
}

/** Both ends of an interval of fractions: `53.6 to 58.9 %`. */
export function formatInterval(interval: EstimateFigures['interval']): string {
  if (interval === null) return noNumber
  return `${formatNumber(interval.low * 100, scoreDecimals)} to ${formatPercent(interval.high)}`
}

/** A difference of two fractions in percentage points, with its sign: `+3.1 points`. */
export function formatDifference(difference: number | null): string {
  if (difference === null || !Number.isFinite(difference)) return noNumber
  return `${formatSigned(difference * 100, scoreDecimals)} points`
}

/** A difference with its interval: `+3.1 points [+0.8, +5.4]`. */
export function formatDifferenceInterval({ mean, interval }: Pick<EstimateFigures, 'mean' | 'interval'>): string {
  const difference = formatDifference(mean)
  if (mean === null || interval === null) return difference
  return `${difference} [${formatSigned(interval.low * 100, scoreDecimals)}, ${formatSigned(interval.high * 100, scoreDecimals)}]`
}
