import type { OneSided } from './one-sided.ts'
import { EXACT_LIMIT, signedSums, TIE } from './permutation.ts'
import { at, mean, type Sample } from './sample.ts'

/**
 * The mean of at most 20 paired differences by the sign-flip permutation test: under θ = t each d_i − t is as likely as its opposite.
 * The p-value of θ ≤ t is the share of the 2^n sign patterns whose sum is at least the observed one; bounds invert it. Assumes
 * differences symmetric about θ. Source: Fisher 1935; Lehmann & Romano 2005, section 5.10.
 * @throws RangeError for more than `EXACT_LIMIT` differences
 */
export function signFlipMean(differences: Sample): OneSided {
  const d = Float64Array.from(differences)
  const n = d.length
  if (n > EXACT_LIMIT) throw new RangeError(`${n} differences have too many sign patterns to count; at most ${EXACT_LIMIT} can be used`)
  const above = (t: number): number => shareAtLeast(d.map(value => value - t))
  const below = (t: number): number => shareAtLeast(d.map(value => t - value))
  const [smallest, largest] = [Math.min(...d), Math.max(...d)]
  return {
    method: 'sign_flip_permutation',
    n,
    estimate: mean(d),
    standardError: null,
    // Beyond all differences every pattern but one is smaller, so that no bound exists below 2^-n.
    lower: alpha => (2 ** -n > alpha ? null : crossing(smallest, largest, t => above(t) <= alpha)),
    upper: alpha => (2 ** -n > alpha ? null : -crossing(-largest, -smallest, t => below(-t) <= alpha)),
    above,
    below,
  }
}

/** The largest t of [low, high] that is still rejected. */
function crossing(low: number, high: number, rejected: (t: number) => boolean): number {
  const margin = (high - low || Math.abs(low) || 1) * 1e-9
  let [inside, outside] = [low - margin, high]
  for (let step = 0; step < 50; step++) {
    const middle = (inside + outside) / 2
    if (rejected(middle)) inside = middle
    else outside = middle
  }
  return inside
}

/** Share of all sign patterns of the values whose sum is at least the sum of the values: two sorted halves, joined by counting. */
function shareAtLeast(values: Float64Array): number {
  const half = values.length >> 1
  const left = signedSums(values.subarray(0, half)).sort()
  const right = signedSums(values.subarray(half)).sort()
  let total = 0
  let size = 0
  for (const value of values) {
    total += value
    size += Math.abs(value)
  }
  const threshold = total - TIE * size
  let count = 0
  let first = right.length
  for (let i = 0; i < left.length; i++) {
    while (first > 0 && at(left, i) + at(right, first - 1) >= threshold) first--
    count += right.length - first
  }
  return count / (left.length * right.length)
}
