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

/**
 * `56.3 % ± 2.7`, or `98.0 % [93.0, 99.5]` where the two sides of the interval differ by a tenth of a point or more: a `±` there
 * would state a symmetry that the interval does not have. The figure after `±` is the longer side, in percentage points.
 */
export function formatScore({ mean, interval }: Pick<EstimateFigures, 'mean' | 'interval'>): string {
  const score = formatPercent(mean)
  if (mean === null || interval === null || !Number.isFinite(mean)) return score
  const below = (mean - interval.low) * 100
  const above = (interval.high - mean) * 100
  if (!Number.isFinite(below) || !Number.isFinite(above)) return score
  if (Math.abs(above - below) < 0.1) return `${score} ± ${formatNumber(Math.max(above, below), scoreDecimals)}`
  return `${score} [${formatNumber(interval.low * 100, scoreDecimals)}, ${formatNumber(interval.high * 100, scoreDecimals)}]`
}

/** A score with everything it must never be shown without: `56.3 % ± 2.7 (n = 1,319)`. */
export function formatEstimate(estimate: EstimateFigures): string {
  const score = estimate.mean === null ? 'no score' : formatScore(estimate)
  return `${score} (n = ${formatCount(estimate.n)})`
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
