import { lstrip, rstrip, splitWords, strip } from '../../grading/scorers/python/strings.ts'
import { isSame, pythonText } from './python-text.ts'
import { scriptText } from './script-text.ts'
import { plainNumber, pythonFloat, WholeFloat } from './whole-float.ts'

type Operation = (value: unknown, ...args: readonly unknown[]) => unknown

/** An operation that a value does not support, or with invalid arguments. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
}

/** Filters that are read, by their name after "|". */
export const filters: Readonly<Record<string, Operation>> = {
  trim: value => strip(text(value)),
  strip: value => strip(text(value)),
  upper: value => text(value).toUpperCase(),
  lower: value => text(value).toLowerCase(),
  capitalize: value => capitalized(text(value)),
  title: value => text(value).replaceAll(/[^-\s({[<]+/gu, capitalized),
  string: value => pythonText(value),
  int: (value, otherwise = 0) => Math.trunc(numberOr(value, otherwise)),
  float: (value, otherwise = 0) => pythonFloat(numberOr(value, otherwise)),
  length: value => sizeOf(value),
  count: value => sizeOf(value),
  first: value => items(value)[0],
  last: value => items(value).at(-1),
  list: value => items(value),
  unique: value => [...Map.groupBy(items(value), plainNumber).values()].map(([first]) => first),
  reverse: value => (typeof value === 'string' ? [...value].toReversed().join('') : items(value).toReversed()),
  sort: value =>
    items(value).toSorted((first, second) => {
      const [a, b] = [plainNumber(first), plainNumber(second)]
      return typeof a === 'number' && typeof b === 'number' ? a - b : inOrder(text(a), text(b))
    }),
  join: (value, separator = '') => items(value).map(pythonText).join(text(separator)),
  replace,
  default: value => value,
  dump: (value, indent) => JSON.stringify(value, null, typeof indent === 'number' ? Math.min(indent, 10) : undefined),
  load: value => {
    try {
      return JSON.parse(text(value))
    } catch {
      throw new OperationError('the filter "load" was given a text that is not JSON')
    }
  },
  safe: value => value,
  // Evaluated where its argument is read.
  map: value => value,
}

/** Those of them that Nunjucks has in another way. */
export const scriptFilters: Readonly<Record<string, Operation>> = {
  string: scriptText,
  join: (value, separator = '') => items(value).map(scriptText).join(text(separator)),
  title: value => text(value).split(' ').map(capitalized).join(' '),
}

/** Methods that are read, by their name after ".". */
export const methods: Readonly<Record<string, Operation>> = {
  strip: (value, chars) => strip(text(value), chars === undefined ? undefined : text(chars)),
  lstrip: (value, chars) => lstrip(text(value), chars === undefined ? undefined : text(chars)),
  rstrip: (value, chars) => rstrip(text(value), chars === undefined ? undefined : text(chars)),
  upper: value => text(value).toUpperCase(),
  lower: value => text(value).toLowerCase(),
  capitalize: value => capitalized(text(value)),
  title: value => titled(text(value)),
  replace,
  split: (value, separator, most) => (separator === undefined ? splitWords(text(value)) : split(text(value), text(separator), most)),
  startswith: (value, prefix) => text(value).startsWith(text(prefix)),
  endswith: (value, suffix) => text(value).endsWith(text(suffix)),
  join: (value, list) => items(list).map(text).join(text(value)),
  index: (value, item) => {
    const at = typeof value === 'string' ? value.indexOf(text(item)) : items(value).findIndex(one => isSame(one, item))
    if (at < 0) throw new OperationError(`${pythonText(item).slice(0, 40)} is not in the list`)
    return at
  },
  items: value => Object.entries(record(value)),
  keys: value => Object.keys(record(value)),
  values: value => Object.values(record(value)),
  get: (value, key, otherwise = null) => (Object.hasOwn(record(value), text(key)) ? record(value)[text(key)] : otherwise),
}

/** All of them, or the first `most`, as Python and both template languages replace. */
function replace(value: unknown, from: unknown, to: unknown, most?: unknown): string {
  let left = typeof most === 'number' && most >= 0 ? most : Infinity
  return text(value).replaceAll(text(from), found => (left-- > 0 ? text(to) : found))
}

/** In at most one part more than `most`. */
function split(value: string, separator: string, most?: unknown): string[] {
  if (separator === '') throw new OperationError('the separator is empty')
  const parts = value.split(separator)
  return typeof most === 'number' && most >= 0 && parts.length > most + 1
    ? [...parts.slice(0, most), parts.slice(most).join(separator)]
    : parts
}

/** What is not a number is the number given for that, as Jinja has it. */
function numberOr(given: unknown, otherwise: unknown): number {
  const value = plainNumber(given)
  const number = typeof value === 'string' && strip(value) === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) || typeof value === 'object' ? Number(otherwise) : number
}

/** Without case, as Jinja and Nunjucks sort. */
function inOrder(a: string, b: string): number {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new OperationError(`a text is needed, not ${pythonText(value).slice(0, 40)}`)
}

export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return [...value]
  if (typeof value === 'object' && value !== null && !(value instanceof WholeFloat)) return Object.keys(value)
  throw new OperationError(`a list is needed, not ${pythonText(value).slice(0, 40)}`)
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value))
  throw new OperationError(`an object is needed, not ${pythonText(value).slice(0, 40)}`)
}

function sizeOf(value: unknown): number {
  return items(value).length
}

function capitalized(value: string): string {
  return value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase()
}

function titled(value: string): string {
  return value.replaceAll(/\p{L}+/gu, capitalized)
}
