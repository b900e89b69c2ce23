/** The whole number of a number input, or null while there is none. */
export function wholeOrNull(value: number | string): number | null {
  const number = numberOrNull(value)
  return number === null ? null : Math.trunc(number)
}

export function numberOrNull(value: number | string): number | null {
  const number = typeof value === 'number' ? value : Number.parseFloat(value)
  return Number.isFinite(number) ? number : null
}
