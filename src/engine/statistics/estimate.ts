/**
 * How this library says that a number does not exist.
 *
 * - What the data leave undefined (no values, one value for a standard error, one class for a kappa, a value that is not
 *   finite) is `null` beside a `reason` in plain words: never 0, never NaN, never an infinite number.
 * - A result of one quantity is an `Estimate<T>`. A result of several is an object whose fields are nullable and which has
 *   one `reason` that explains every null in it; `reason` is null exactly when nothing is missing.
 * - What the caller got wrong whatever the data (a level of 95, two lists of different length, a negative count) throws a
 *   `RangeError` that names the argument and its value.
 */
export type Estimate<T = number> = { readonly value: T; readonly reason: null } | { readonly value: null; readonly reason: string }

/** An interval for a quantity, in the quantity's own unit. */
export interface Interval {
  readonly low: number
  readonly high: number
  /** Nominal coverage, strictly between 0 and 1. */
  readonly level: number
  /** Stable name of the method, e.g. `wilson`, `t`, `cr1_t`. */
  readonly method: string
}

export function defined<T>(value: T): Estimate<T> {
  return { value, reason: null }
}

export function undefinedBecause<T = number>(reason: string): Estimate<T> {
  return { value: null, reason }
}

/** The value where there is no reason against it, null otherwise: the way to fill nullable fields from one `reason`. */
export function unless<T>(reason: string | null, value: () => T): T | null {
  return reason === null ? value() : null
}
