import { asciiDigits, parseFloatText } from '../python/numbers.ts'
import { isSpaceCode, strip } from '../python/strings.ts'
import { chineseNumber } from './chinese-number.ts'

const minusSigns = '-−﹣－负負'
const plusSigns = '+＋﹢正'
const decimalMarks = '٫．'
const groupMarks = ",，﹐、٬ \u00a0\u202f\u2009\u2007\u2008'’ʼ＇"
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

/**
 * A number as Inspect's `match(numeric=True)` reads it: what Python's `float` takes and further vulgar fractions (`2½`), superscript
 * exponents (`2³` is 8), Chinese numerals, digits of any script and grouped digits. A sign belongs to the base: `-2²` is 4.
 * @returns a finite number, or null
 */
export function parseNumber(text: string): number | null {
  const plain = parseFloatText(text)
  if (plain !== null && Number.isFinite(plain)) return plain
  const written = writtenNumber(text)
  return written !== null && Number.isFinite(written) ? written : null
}

function writtenNumber(text: string): number | null {
  let rest = strip(text)
  let sign = 1
  for (let first = rest.charAt(0); first && (minusSigns + plusSigns).includes(first); first = rest.charAt(0)) {
    if (minusSigns.includes(first)) sign = -sign
    rest = strip(rest.slice(1))
  }
  const single = singleCharacter(rest)
  if (single !== null) return sign * single
  const power = /^(?<base>.*?[^⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹\s])\s*(?<exponent>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/u.exec(rest)?.groups
  const base = baseNumber(power?.['base'] ?? rest)
  if (base === null || !power) return base === null ? null : sign * base
  const digits = [...(power['exponent'] ?? '')].map(char => (char === '⁻' ? '-' : char === '⁺' ? '' : superscripts.indexOf(char)))
  return (sign * base) ** Number(digits.join(''))
}

/** Digits with at most one vulgar fraction at the end. */
function baseNumber(text: string): number | null {
  const fraction = /^(?<whole>\P{No}*)(?<fraction>\p{No})(?<rest>\P{N}*)$/u.exec(text)?.groups
  const value = fraction && singleCharacter(fraction['fraction'] ?? '')
  if (!fraction || value === null || value === undefined || value <= 0 || value >= 1) return wholeNumber(text)
  if (![...(fraction['rest'] ?? '')].every(isGap)) return null
  const whole = strip(fraction['whole'] ?? '')
  const head = whole === '' ? 0 : wholeNumber(whole)
  return head === null ? null : head + value
}

function wholeNumber(text: string): number | null {
  return chineseNumber(text) ?? digitsWithMarks(asciiDigits(strip(text))) ?? singleCharacter(text)
}

function isGap(char: string): boolean {
  return groupMarks.includes(char) || isSpaceCode(char.charCodeAt(0))
}

/** Digits with grouping and a decimal mark: the later of `.` and `,`, or a lone `,` before one to three digits. */
function digitsWithMarks(text: string): number | null {
  const dot = text.lastIndexOf('.')
  const comma = text.lastIndexOf(',')
  const isDecimalComma = dot < 0 ? comma >= 0 && /^\D*(?:\d\D*){1,3}$/.test(text.slice(comma + 1)) : comma > dot
  const mark = isDecimalComma ? ',' : '.'
  let digits = ''
  for (const char of text) {
    if (char === mark || decimalMarks.includes(char)) digits += '.'
    else if (/[0-9eE+-]/.test(char)) digits += char
    else if (char === '−') digits += '-'
    else if (char !== '.' && !isGap(char)) return null
  }
  return /\d/.test(digits) && /^[\d.]/.test(digits) ? parseFloatText(digits) : null
}

/** The numeric value of one character, read from its compatibility decomposition: `½`, `²`, `Ⅻ`, `⑩`. */
function singleCharacter(text: string): number | null {
  if ([...text].length !== 1) return null
  const parts = text.normalize('NFKD')
  if (parts === text) return /^\p{Nd}$/u.test(text) ? Number(asciiDigits(text)) : (chineseNumber(text) ?? null)
  const [top = '', bottom] = parts.split('⁄')
  if (bottom !== undefined) return /^\d+$/.test(top) && /^\d+$/.test(bottom) ? Number(top) / Number(bottom) : null
  if (/^\d+$/.test(parts)) return Number(parts)
  return /^\p{Nl}$/u.test(text) ? romanNumber(parts.toLowerCase()) : null
}

function romanNumber(text: string): number | null {
  const digits = [...text].map(char => romanDigits[char])
  let total = 0
  for (const [i, digit] of digits.entries()) {
    if (digit === undefined) return null
    total += digit < (digits[i + 1] ?? 0) ? -digit : digit
  }
  return total
}
