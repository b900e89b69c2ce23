import { reprFloat } from '../../grading/scorers/python/numbers.ts'
import { plainNumber, WholeFloat } from './whole-float.ts'

/** A value as Python's `str` writes it, which is what Jinja prints. */
export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value)
}

/** As Python's `repr` writes it: texts in quotes. */
export function pythonRepr(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : reprFloat(value)
  if (value instanceof WholeFloat) return reprFloat(value.value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`
  if (typeof value !== 'object') return ''
  return `{${Object.entries(value ?? {})
    .map(([key, inner]) => `${quoted(key)}: ${pythonRepr(inner)}`)
    .join(', ')}}`
}

/** In single quotes, or in double ones where that saves escaping. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(quote, `\\${quote}`)
  return `${quote}${body}${quote}`
}

/** What counts as true: nothing that is empty, zero or none. */
export function isTruthy(value: unknown): boolean {
  if (value instanceof WholeFloat) return value.value !== 0
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

export function isSame(first: unknown, second: unknown): boolean {
  const [a, b] = [plainNumber(first), plainNumber(second)]
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  // As in Python, where True is 1.
  if (typeof a === 'boolean' && typeof b === 'number') return Number(a) === b
  return typeof a === 'number' && typeof b === 'boolean' && a === Number(b)
}
