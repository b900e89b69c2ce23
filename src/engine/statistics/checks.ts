/** Checks of arguments. Each throws a `RangeError` that names the argument, its value and the range: see `estimate.ts`. */

/** A confidence level, significance level, power or probability that may not be 0 or 1. */
export function requireOpenUnit(name: string, value: number): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${name} is ${value}; give a number strictly between 0 and 1, such as 0.95`)
}

/** A probability or rate, ends included. */
export function requireUnit(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} is ${value}; give a number from 0 to 1`)
}

/** A whole number of things, at least `least`. */
export function requireCount(name: string, value: number, least = 0): void {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${name} is ${value}; give a whole number of at least ${least}`)
}

/** `successes` out of `trials`, both whole, successes at most trials. */
export function requireSuccesses(successes: number, trials: number): void {
  requireCount('trials', trials)
  requireCount('successes', successes)
  if (successes > trials) throw new RangeError(`successes is ${successes}, more than the ${trials} trials; give at most ${trials}`)
}

export function requirePositive(name: string, value: number): void {
  if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${name} is ${value}; give a finite number above 0`)
}

export function requireNonNegative(name: string, value: number): void {
  if (!(value >= 0 && Number.isFinite(value))) throw new RangeError(`${name} is ${value}; give a finite number of at least 0`)
}

export function requireFinite(name: string, value: number): void {
  if (!Number.isFinite(value)) throw new RangeError(`${name} is ${value}; give a finite number`)
}

/** Two lists that describe the same items in the same order. */
export function requireSameLength(firstName: string, first: ArrayLike<unknown>, secondName: string, second: ArrayLike<unknown>): void {
  if (first.length !== second.length) {
    throw new RangeError(
      `${firstName} has ${first.length} entries and ${secondName} has ${second.length}; give one of each per item, in the same order`,
    )
  }
}
