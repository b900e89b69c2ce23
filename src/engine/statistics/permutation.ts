import { defined, type Estimate, undefinedBecause } from './estimate.ts'
import { type Sample, sum, whyUnusable } from './sample.ts'

/** Up to this many non-zero differences all 2^n sign patterns are counted: about a million. */
export const EXACT_LIMIT = 20

/** Two sums closer than this share of Σ|d| are equal: ties count as "at least as far". */
export const TIE = 1e-12

/**
 * Two-sided paired permutation test: the share of all sign patterns ±d_i whose |Σ d| is at least the observed one.
 *
 * Assumes only that swapping the two models on a question leaves its probability unchanged when they are equal. Zero
 * differences do not matter and are dropped. Exact, so at most `EXACT_LIMIT` non-zero differences.
 * Source: Fisher 1935; as scipy's `permutation_test(permutation_type="samples")`.
 */
export function permutationTestExact(diffs: Sample): Estimate {
  const unusable = whyUnusable(diffs, 'difference')
  if (unusable !== null) return undefinedBecause(unusable)
  const sizes = magnitudes(diffs)
  if (sizes.length > EXACT_LIMIT) {
    return undefinedBecause(`${sizes.length} non-zero differences have too many sign patterns to count; the limit is ${EXACT_LIMIT}.`)
  }
  const half = sizes.length >> 1
  const first = signedSums(sizes.subarray(0, half))
  const second = signedSums(sizes.subarray(half))
  const threshold = Math.abs(sum(diffs)) - TIE * sum(sizes)
  let extreme = 0
  for (const left of first) for (const right of second) if (Math.abs(left + right) >= threshold) extreme++
  return defined(extreme / 2 ** sizes.length)
}

function magnitudes(diffs: Sample): Float64Array {
  return Float64Array.from(diffs, Math.abs).filter(size => size > 0)
}

/** All 2^n sums of ± the sizes. */
export function signedSums(sizes: Float64Array): Float64Array {
  let sums = Float64Array.of(0)
  for (const size of sizes) {
    const next = new Float64Array(sums.length * 2)
    sums.forEach((total, i) => {
      next[2 * i] = total + size
      next[2 * i + 1] = total - size
    })
    sums = next
  }
  return sums
}
