/**
 * Numbers as text, the same on every machine: English conventions, no locale data, no host settings. What is not finite reads as
 * an en dash, because a chart or table must never show `NaN`.
 */

/** Shown where there is no number. */
export const noNumber = '–'

/** The typographic minus, as wide as a plus, so that signed columns line up. */
const minus = '−'

/** `value` with exactly `decimals` decimals and a comma between thousands: `1,319`, `−0.5`. A rounded zero has no sign. */
export function formatNumber(value: number, decimals = 0): string {
  if (!Number.isFinite(value)) return noNumber
  const fixed = Math.abs(value).toFixed(decimals)
  const sign = value < 0 && Number(fixed) !== 0 ? minus : ''
  return sign + groupThousands(fixed)
}

/** A whole count: `1,319`. */
export function formatCount(value: number): string {
  return formatNumber(value, 0)
}

/** Like `formatNumber`, with a plus before what is above zero: `+3.1`, `−0.4`, `0.0`. */
export function formatSigned(value: number, decimals = 0): string {
  if (!Number.isFinite(value)) return noNumber
  const text = formatNumber(value, decimals)
  return value > 0 && Number(value.toFixed(decimals)) !== 0 ? `+${text}` : text
}

/** A rough size for axes: `950`, `1.2 k`, `35 k`, `4.1 M`. */
export function formatCompact(value: number): string {
  if (!Number.isFinite(value)) return noNumber
  const magnitude = Math.abs(value)
  for (const [size, unit] of compactUnits) {
    // 999,500 would round to 1,000 k, so it belongs to the next unit already.
    if (magnitude < size * 0.9995) continue
    const scaled = value / size
    return `${formatNumber(scaled, Math.abs(scaled) < 9.95 && !Number.isInteger(scaled) ? 1 : 0)} ${unit}`
  }
  return formatNumber(value, Number.isInteger(value) ? 0 : magnitude < 9.95 ? 1 : 0)
}

const compactUnits = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Puts commas into a string of digits, with or without decimals. */
export function groupThousands(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
