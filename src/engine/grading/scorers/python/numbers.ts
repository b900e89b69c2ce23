import { strip } from './strings.ts'
import { trimEndOf } from '../../../../lib/trim-end.ts'

const floatSyntax = /^[+-]?(?:(?:\d(?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/
const specialSyntax = /^[+-]?(?:inf(?:inity)?|nan)$/i
const otherDigit = /[^\x00-\x7f]/

/** The text with decimal digits of any script as ASCII digits, as Python's number parsers see it. */
export function asciiDigits(text: string): string {
  if (!otherDigit.test(text)) return text
  return text.replace(/\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    // Unicode keeps the ten digits of a script together and in order; the longest row of such tens is the 50 mathematical digits.
    while (code - zero < 49 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
    return String((code - zero) % 10)
  })
}

/** `float(text)`; null where Python raises ValueError. NaN and infinities are what Python returns for their names. */
export function parseFloatText(text: string): number | null {
  const trimmed = asciiDigits(strip(text))
  if (floatSyntax.test(trimmed)) return Number(trimmed.replaceAll('_', ''))
  if (!specialSyntax.test(trimmed)) return null
  const word = trimmed.replace(/^[+-]/, '').toLowerCase()
  if (word === 'nan') return Number.NaN
  return trimmed.startsWith('-') ? -Infinity : Infinity
}

/** `math.isfinite(float(text))`, false where `float` raises. */
export function isFiniteNumberText(text: string): boolean {
  const value = parseFloatText(text)
  return value !== null && Number.isFinite(value)
}

/** `repr(value)` of a float: shortest digits, `.0` for whole numbers, exponent below 1e-4 and from 1e16. */
export function reprFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '0', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (value !== 0 && (exponent < -4 || exponent >= 16)) return `${digits}e${exponentWithTwoDigits(exponent)}`
  const plain = Math.abs(value) < 1e-6 && value !== 0 ? trimEndOf(value.toFixed(20), /0/) : String(value)
  return plain.includes('.') ? plain : `${plain}.0`
}

/** `format(value, '.<precision>g')` of a finite float. */
export function formatGeneral(value: number, precision: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '0', exponentText = '0'] = value.toExponential(precision - 1).split('e')
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= precision) return `${withoutTrailingZeros(digits)}e${exponentWithTwoDigits(exponent)}`
  return withoutTrailingZeros(value.toFixed(Math.max(0, precision - 1 - exponent)))
}

/**
 * `round(value, digits)`: to the nearest, and to the even neighbor when the binary value lies exactly between two.
 * @param digits decimal places, 0 to 20
 */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value
  // A double that lies exactly between two decimals ends there, so 80 more places show whether it does.
  const exact = value.toFixed(digits + 80)
  const cut = exact.length - 80
  if (!/^50*$/.test(exact.slice(cut))) return Number(value.toFixed(digits))
  const kept = exact.slice(0, cut).replace(/\.$/, '')
  const isEven = Number(kept.at(-1)) % 2 === 0
  if (isEven) return Number(kept)
  const step = 10 ** -digits
  return Number((Number(kept) + Math.sign(value) * step).toFixed(digits))
}

function withoutTrailingZeros(digits: string): string {
  return digits.includes('.') ? trimEndOf(digits, /0/).replace(/\.$/, '') : digits
}

function exponentWithTwoDigits(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
