import { plainNumber, WholeFloat } from './whole-float.ts'

/** A value as JavaScript prints it, and Nunjucks with it: lists with commas, nothing for none; objects as JSON, not as "[object Object]". */
export function scriptText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(scriptText).join(',')
  return typeof value === 'object' && !(value instanceof WholeFloat) ? JSON.stringify(value) : String(plainNumber(value))
}

/** What counts as true in JavaScript, as an empty list does. */
export function isScriptTruthy(value: unknown): boolean {
  return Boolean(plainNumber(value))
}

/** "==" of JavaScript, where a text of digits is a number. */
export function isScriptSame(first: unknown, second: unknown): boolean {
  const [a, b] = [plainNumber(first), plainNumber(second)]
  if (typeof a === typeof b || a === null || b === null || typeof a === 'object' || typeof b === 'object') return a === b
  return Number(a) === Number(b)
}
