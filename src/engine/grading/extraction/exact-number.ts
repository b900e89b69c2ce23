/** A rational number, exact: 9007199254740993 is not 9007199254740992, and 0.1 is a tenth. */
export interface ExactNumber {
  readonly top: bigint
  /** Above 0. */
  readonly bottom: bigint
}

const mostExponent = 400
const mostDigits = 2000

/** A number in decimal notation with an optional exponent, as `-12.5e-3`; null beyond 2,000 digits or an exponent of 400. */
export function exactNumber(decimal: string, exponent = 0): ExactNumber | null {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(decimal)
  if (!parts || decimal.length > mostDigits) return null
  const [, sign, whole = '', fraction = '', power = '0'] = parts
  const shift = Number(power) + exponent - fraction.length
  if (whole + fraction === '' || Math.abs(Number(power) + exponent) > mostExponent) return null
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return shift >= 0 ? { top: digits * 10n ** BigInt(shift), bottom: 1n } : { top: digits, bottom: 10n ** BigInt(-shift) }
}

export function quotient(a: ExactNumber, b: ExactNumber): ExactNumber | null {
  if (b.top === 0n) return null
  const sign = b.top < 0n ? -1n : 1n
  return { top: a.top * b.bottom * sign, bottom: a.bottom * b.top * sign }
}

export function product(a: ExactNumber, b: ExactNumber): ExactNumber {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom }
}

export function sumOf(a: ExactNumber, b: ExactNumber): ExactNumber {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }
}

export function negative(a: ExactNumber): ExactNumber {
  return { top: -a.top, bottom: a.bottom }
}

/** A whole power; null for one that would have more than 2,000 digits, and for 0 below 0. */
export function power(base: ExactNumber, exponent: number): ExactNumber | null {
  const size = base.top.toString().length + base.bottom.toString().length
  if (Math.abs(exponent) * size > mostDigits || (base.top === 0n && exponent < 0)) return null
  const raised = { top: base.top ** BigInt(Math.abs(exponent)), bottom: base.bottom ** BigInt(Math.abs(exponent)) }
  return exponent < 0 ? quotient({ top: 1n, bottom: 1n }, raised) : raised
}

export function isEqual(a: ExactNumber, b: ExactNumber): boolean {
  return a.top * b.bottom === b.top * a.bottom
}

/** Whether two numbers differ by at most `absolute`, or by at most the share `relative` of the second. */
export function isWithin(a: ExactNumber, b: ExactNumber, absolute: number, relative: number): boolean {
  const difference = magnitude(sumOf(a, negative(b)))
  const allowed = [
    exactNumber(String(absolute)),
    relative === 0 ? null : product(exactNumber(String(relative)) ?? { top: 0n, bottom: 1n }, magnitude(b)),
  ]
  return allowed.some(limit => limit !== null && difference.top * limit.bottom <= limit.top * difference.bottom)
}

function magnitude(a: ExactNumber): ExactNumber {
  return a.top < 0n ? negative(a) : a
}

/** As a decimal for an explanation, rounded to what a double holds where it is not a whole number. */
export function describeNumber({ top, bottom }: ExactNumber): string {
  return top % bottom === 0n ? String(top / bottom) : String(Number(top) / Number(bottom))
}
