import { lstrip, rstrip, splitWords, strip } from '../../grading/scorers/python/strings.ts'
import { pythonText } from './python-text.ts'

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
  title: value => titled(text(value)),
  string: value => pythonText(value),
  int: value => Math.trunc(Number(value)),
  float: value => Number(value),
  length: value => sizeOf(value),
  count: value => sizeOf(value),
  first: value => items(value)[0],
  last: value => items(value).at(-1),
  list: value => items(value),
  unique: value => [...new Set(items(value))],
  reverse: value => (typeof value === 'string' ? [...value].toReversed().join('') : items(value).toReversed()),
  sort: value => items(value).toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : text(a) < text(b) ? -1 : 1)),
  join: (value, separator = '') => items(value).map(pythonText).join(text(separator)),
  replace: (value, from, to) => text(value).replaceAll(text(from), () => text(to)),
  default: value => value,
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
  replace: (value, from, to) => text(value).replaceAll(text(from), () => text(to)),
  split: (value, separator) => (separator === undefined ? splitWords(text(value)) : text(value).split(text(separator))),
  startswith: (value, prefix) => text(value).startsWith(text(prefix)),
  endswith: (value, suffix) => text(value).endsWith(text(suffix)),
  join: (value, list) => items(list).map(text).join(text(value)),
  index: (value, item) => {
    const at = typeof value === 'string' ? value.indexOf(text(item)) : items(value).indexOf(item)
    if (at < 0) throw new OperationError(`${pythonText(item).slice(0, 40)} is not in the list`)
    return at
  },
  items: value => Object.entries(record(value)),
  keys: value => Object.keys(record(value)),
  values: value => Object.values(record(value)),
  get: (value, key, otherwise = null) => (Object.hasOwn(record(value), text(key)) ? record(value)[text(key)] : otherwise),
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new OperationError(`a text is needed, not ${pythonText(value).slice(0, 40)}`)
}

export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return [...value]
  if (typeof value === 'object' && value !== null) return Object.keys(value)
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
