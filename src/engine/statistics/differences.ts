import { requireSameLength } from './checks.ts'
import { at, type Sample } from './sample.ts'

/** Binary digits kept below the largest magnitude: far finer than any score, far coarser than rounding. */
const DIGITS = 44

/**
 * The differences a_i - b_i, rounded to 2^-44 of the largest magnitude in a and b.
 *
 * Without the rounding 0.9 - 0.8 and 0.7 - 0.6 differ in their last digits, which breaks ties in ranks and hides that a sample
 * has few distinct values. Values that are not finite pass through, for the caller to report.
 */
export function differences(a: Sample, b: Sample): Float64Array {
  requireSameLength('a', a, 'b', b)
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(at(a, i)), Math.abs(at(b, i)))
  const raw = Float64Array.from(a, (value, i) => value - at(b, i))
  if (largest === 0 || !Number.isFinite(largest)) return raw
  const quantum = 2 ** (Math.floor(Math.log2(largest)) - DIGITS)
  return quantum === 0 ? raw : raw.map(difference => Math.round(difference / quantum) * quantum + 0)
}
