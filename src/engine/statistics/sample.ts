/** Numbers to be described: a plain array or a typed one. */
export type Sample = ArrayLike<number>

/** The element at an index that exists; a miss is a mistake in this library and throws rather than let `undefined` spread. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  if (element === undefined) throw new RangeError(`index ${index} is outside a list of ${list.length}`)
  return element
}

/** The largest size of a value whose third power, summed, stays finite. */
const LARGEST = 1e100

/** Sums of squares below this are 0: what is computed from them would lose its digits. */
const VANISHING = 1e-200

/** Why nothing can be computed from these values, or null: there are none, or one is not finite or absurdly large. */
export function whyUnusable(values: Sample, name = 'value'): string | null {
  if (values.length === 0) return `There are no ${name}s.`
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (!(Math.abs(value) <= LARGEST))
      return `The ${name} at position ${i} is ${value}; only finite numbers up to ${LARGEST} in size can be used.`
  }
  return null
}

/** Why these values are not outcomes of a pass/fail metric, or null. */
export function whyNotBinary(values: Sample): string | null {
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== 0 && values[i] !== 1) return `The value at position ${i} is ${values[i]}, but a binary metric has only 0 and 1.`
  }
  return null
}

export function sum(values: Sample): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i] ?? 0
  return total
}

/** Arithmetic mean of at least one finite value; exact when all values are equal. */
export function mean(values: Sample): number {
  return isConstant(values) ? at(values, 0) : sum(values) / values.length
}

/** Whether all values are the same number up to rounding, so that 0.1 + 0.2 beside 0.3 does not pass for variation. */
export function isConstant(values: Sample): boolean {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0
    if (value < low) low = value
    if (value > high) high = value
  }
  return high - low <= 4 * Number.EPSILON * Math.max(Math.abs(low), Math.abs(high))
}

/** Sum of squared deviations from the mean, in two passes; 0 when all values are equal up to rounding or to `VANISHING`. */
export function sumOfSquares(values: Sample): number {
  if (isConstant(values)) return 0
  const center = mean(values)
  let total = 0
  for (let i = 0; i < values.length; i++) total += ((values[i] ?? 0) - center) ** 2
  return total < VANISHING ? 0 : total
}

/** Whether the values differ by more than rounding. */
export function varies(values: Sample): boolean {
  return sumOfSquares(values) > 0
}

/** Sum over items of the products of two deviations from their means. */
export function sumOfProducts(a: Sample, b: Sample): number {
  const meanA = mean(a)
  const meanB = mean(b)
  let total = 0
  for (let i = 0; i < a.length; i++) total += ((a[i] ?? 0) - meanA) * ((b[i] ?? 0) - meanB)
  return total
}

/** Sample variance with n-1 in the denominator; the caller sees to n >= 2. */
export function variance(values: Sample): number {
  return sumOfSquares(values) / (values.length - 1)
}
