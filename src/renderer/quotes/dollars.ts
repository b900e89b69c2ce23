const microDigits = 6
/** Whole dollars beyond this do not fit the 18 digits of a micro-USD amount. */
const mostWholeDigits = 12

/**
 * Whole micro-USD as a decimal string from an amount in dollars as a person types it: `1`, `$0.25`, `1,000.5`.
 *
 * @returns null for anything else: a sign, an exponent, more than six decimals, more than twelve digits before them.
 */
export function parseDollars(typed: string): string | null {
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{0,6}))?$/.exec(typed.trim())
  const whole = match?.[1]?.replaceAll(',', '')
  const fraction = match?.[2]
  if (!match || (whole === undefined && !fraction) || (whole?.length ?? 0) > mostWholeDigits) return null
  return BigInt(`${whole ?? '0'}${(fraction ?? '').padEnd(microDigits, '0')}`).toString()
}

/** The amount as it would be typed, without losing a micro-dollar: `1`, `0.25`. */
export function typedDollars(microUsd: string): string {
  const digits = microUsd.padStart(microDigits + 1, '0')
  const fraction = digits.slice(-microDigits).replace(/0+$/, '')
  return digits.slice(0, -microDigits) + (fraction ? `.${fraction}` : '')
}
