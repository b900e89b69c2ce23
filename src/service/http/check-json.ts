import { ApiError } from '../../contract/errors.ts'
import { endOfJsonString } from '../../lib/json-text.ts'

/** What JSON may not be in a request, though a parser would take it. */
export const jsonLimits = {
  /** `JSON.parse` takes any depth, and every later `JSON.stringify` fails beyond some thousands. */
  depth: 64,
  /** Keys of one object. */
  keys: 10_000,
  /** Values in all: parsing and checking takes microseconds for each, in the thread that answers everybody. */
  values: 400_000,
} as const

const refuse = (reason: string): never => {
  throw new ApiError('malformed_json', `The body ${reason}`)
}

/**
 * Refuses what parsers read each in their own way, so that what was checked is what was meant: a key given twice, numbers that do not
 * fit, `__proto__`, and nesting, objects or numbers of values beyond the limits. Text that is not JSON passes; parsing it says so.
 * @throws ApiError malformed_json
 */
export function checkJson(text: string): void {
  /** Keys of each open object; null for an open list. */
  const open: (Set<string> | null)[] = []
  let values = 1
  const count = (): void => {
    if (++values > jsonLimits.values)
      refuse(`holds more than ${jsonLimits.values.toLocaleString('en-US')} values. Send it in several requests.`)
  }
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]
    if (unit === '"') {
      const end = endOfJsonString(text, i)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) noteKey(keys, text.slice(i, end))
      i = end - 1
    } else if (unit === '{' || unit === '[') {
      open.push(unit === '{' ? new Set() : null)
      count()
      if (open.length > jsonLimits.depth) refuse(`is nested deeper than ${jsonLimits.depth} levels.`)
    } else if (unit === ',') count()
    else if (unit === '}' || unit === ']') open.pop()
    else if (unit === '-' || (unit !== undefined && unit >= '0' && unit <= '9')) i += checkNumber(text, i) - 1
  }
}

const colon = /[ \t\r\n]*:/y

function isKey(text: string, end: number): boolean {
  colon.lastIndex = end
  return colon.test(text)
}

function noteKey(keys: Set<string>, quoted: string): void {
  const key = decode(quoted)
  if (key === '__proto__') refuse('contains a key "__proto__", which is not allowed.')
  if (keys.has(key)) refuse(`contains the key "${key.slice(0, 60)}" twice in one object.`)
  if (keys.size >= jsonLimits.keys) refuse(`contains an object of more than ${jsonLimits.keys} keys.`)
  keys.add(key)
}

/** `"\u0061"` is the key `a`. */
function decode(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

const literal = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y

/** Length of the number that begins at the index. */
function checkNumber(text: string, start: number): number {
  literal.lastIndex = start
  const [written = '', fraction, exponent] = literal.exec(text) ?? []
  const value = Number(written)
  if (!Number.isFinite(value)) refuse(`contains a number that is out of range: ${written.slice(0, 40)}`)
  if (fraction === undefined && exponent === undefined && written !== '' && !Number.isSafeInteger(value))
    refuse(`contains an integer beyond 2^53, which would lose precision: ${written.slice(0, 40)}. Send it as a string where one is taken.`)
  return Math.max(1, written.length)
}
