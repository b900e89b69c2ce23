import { mendJson } from '../../../lib/mend-json.ts'
import { countKeys, repeatedKey } from './repeated-key.ts'
import { RowError } from './row.ts'
import { keepWritten, mayHoldWritten } from './written-numbers.ts'

const maxDepth = 64
/** As for requests. */
const maxKeys = 10_000

/**
 * Parses JSON from a file. Besides bad syntax it rejects values that later code cannot handle: nesting deeper than 64, objects of more
 * than 10,000 keys, `__proto__` keys, and numbers too large to be a number. Whole numbers beyond 2^53 are kept as they are written, as text;
 * `NaN` and the infinities, which Python writes, are null.
 * @throws RowError naming what mends it, and the column
 */
export function parseJson(text: string): unknown {
  return parseCounted(text, keptNumber).value
}

/** `parseJson` of a row of data, of which nothing is to be lost: JSON lets an object have a key twice, and the last would be kept. @throws RowError likewise */
export function parseRowJson(text: string): unknown {
  const { value, keys } = parseCounted(text, mayHoldWritten(text) ? writtenNumber : keptNumber)
  if (keys < countKeys(text))
    throw new RowError(`An object has the key "${repeatedKey(text)?.slice(0, 60) ?? ''}" twice. Keep one of them.`)
  return value
}

function parseCounted(text: string, revive: Reviver): { readonly value: unknown; readonly keys: number } {
  let value: unknown
  try {
    value = readJson(text, revive)
  } catch {
    throw new RowError(mendJson(sameLengthNumbers(text)))
  }
  return { value, keys: check(value, 1) }
}

/** @throws SyntaxError */
function readJson(text: string, revive: Reviver): unknown {
  try {
    return revive === writtenNumber || hasLongNumber.test(text) ? JSON.parse(text, revive) : JSON.parse(text)
  } catch (error) {
    const without = withoutNonNumbers(text)
    if (without === text) throw error
    return JSON.parse(without, revive)
  }
}

type Reviver = typeof writtenNumber

const hasLongNumber = /\d{16}/

/** A whole number that a number of JavaScript would change is kept as text. */
function keptNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context?.source === undefined) return value
  return /^-?\d{1,100}$/.test(context.source) ? context.source : value
}

/** Likewise, and what else is written in another way than JavaScript writes it is kept beside the value. */
function writtenNumber(this: unknown, key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'number' && typeof this === 'object' && this !== null && context?.source !== undefined)
    keepWritten(this, key, value, context.source)
  return keptNumber(key, value, context)
}

/** Outside of strings, `NaN`, `Infinity` and `-Infinity` become null. */
export function withoutNonNumbers(text: string, instead: (found: string) => string = () => 'null'): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"?|-?\b(?:NaN|Infinity)\b/g, found => (found.startsWith('"') ? found : instead(found)))
}

/** The same with as many characters, so that a fault is found in its own place. */
export function sameLengthNumbers(text: string): string {
  return withoutNonNumbers(text, found => '0'.padEnd(found.length))
}

/** @returns keys of all objects */
function check(value: unknown, depth: number): number {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RowError('A number is too large to be read exactly; write it as text.')
  if (typeof value !== 'object' || value === null) return 0
  if (depth > maxDepth) throw new RowError(`The JSON is nested deeper than ${maxDepth} levels.`)
  if (Object.hasOwn(value, '__proto__')) throw new RowError('The JSON has a key "__proto__", which is refused.')
  const inners: readonly unknown[] = Object.values(value)
  if (!Array.isArray(value) && inners.length > maxKeys)
    throw new RowError(`An object has ${inners.length} keys, and at most ${maxKeys} are read.`)
  let keys = Array.isArray(value) ? 0 : inners.length
  for (const inner of inners) keys += check(inner, depth + 1)
  return keys
}
