import { asciiDigits } from './numbers.ts'
import { splitWords, strip } from './strings.ts'
import { trimEndOf } from '../../../../lib/trim-end.ts'

const syntax = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i
const special = /^[+-]?(?:inf(?:inity)?|s?nan\d*)$/i

/**
 * The exact value of what Python's `Decimal(text)` accepts, as a text that is the same for equal values; null where it raises.
 * NaN has no equal and comes out as `nan`.
 */
export function decimalKey(text: string): string | null {
  const plain = asciiDigits(strip(text)).replaceAll('_', '')
  if (special.test(plain)) return /nan/i.test(plain) ? 'nan' : plain.startsWith('-') ? '-inf' : 'inf'
  const match = syntax.exec(plain)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', bare = '', exponent = '0'] = match
  const decimals = fraction + bare
  const digits = (whole + decimals).replace(/^0+/, '')
  const trimmed = trimEndOf(digits, /0/)
  if (trimmed === '') return '0'
  const scale = BigInt(exponent) - BigInt(decimals.length) + BigInt(digits.length - trimmed.length)
  return `${sign === '-' ? '-' : ''}${trimmed}e${scale}`
}

/** Whether two lines hold equal numbers in the same order; false where a word is not a number. */
export function sameDecimals(a: string, b: string): boolean {
  const left = splitWords(a).map(decimalKey)
  const right = splitWords(b).map(decimalKey)
  return left.length === right.length && left.every((key, i) => key !== null && key !== 'nan' && key === right[i])
}
