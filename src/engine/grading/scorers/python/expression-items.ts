import { addWork, NotEvaluated, refuse } from './expression-limits.ts'
import { hashKey, NONE, pyEquals, type PyValue } from './values.ts'

/** A function as an argument: a lambda, or a built-in one by its name. */
export type Call = (args: readonly PyValue[]) => PyValue
export type Argument = PyValue | Call
export type Entries = readonly (readonly [PyValue, PyValue])[]

export function valueOf(argument: Argument | undefined): PyValue {
  return argument === undefined || typeof argument === 'function' ? refuse() : argument
}

/**
 * What a loop over the value gives: items, characters, or keys.
 * @throws NotEvaluated for what cannot be looped over, and for a set whose order is that of its hashes
 */
export function itemsOf(value: PyValue): readonly PyValue[] {
  const items = membersOf(value)
  if (value.type !== 'set' || items.length < 2) return items
  // The smallest table has eight places, and a small number is its own hash.
  const numbers = items.map(item => (item.type === 'int' && item.value >= 0n && item.value < 8n ? Number(item.value) : refuse()))
  return items.toSorted((a, b) => (numbers[items.indexOf(a)] ?? 0) - (numbers[items.indexOf(b)] ?? 0))
}

/** The same where their order does not matter. */
export function membersOf(value: PyValue): readonly PyValue[] {
  addWork('items' in value ? value.items.length : value.type === 'str' ? value.value.length : 1)
  if ('items' in value) return value.items
  if (value.type === 'str') return [...value.value].map(char => ({ type: 'str', value: char }))
  if (value.type === 'dict') return value.entries.map(([key]) => key)
  throw new NotEvaluated()
}

/** @throws NotEvaluated where one cannot be in a set or be a key */
export function uniqueItems(items: readonly PyValue[]): readonly PyValue[] {
  // The first of equal ones stays.
  const byKey = new Map<string, PyValue>()
  for (const item of items) {
    const key = hashKey(hashable(item))
    if (!byKey.has(key)) byKey.set(key, item)
  }
  return [...byKey.values()]
}

function hashable(item: PyValue): PyValue {
  if (item.type === 'list' || item.type === 'dict' || item.type === 'set') throw new NotEvaluated()
  if (item.type === 'tuple') for (const each of item.items) hashable(each)
  return item
}

/** Of equal keys the first stays, with the last value. */
export function dictOf(entries: Entries): PyValue {
  const byKey = new Map<string, readonly [PyValue, PyValue]>()
  for (const [key, value] of entries) byKey.set(hashKey(key), [byKey.get(hashKey(hashable(key)))?.[0] ?? key, value])
  return { type: 'dict', entries: [...byKey.values()] }
}

export function entriesOf(value: PyValue): Entries {
  return value.type === 'dict' ? value.entries : refuse()
}

export function pairsOf(items: readonly PyValue[]): Entries {
  return items.map(item => {
    const [key, value, ...others] = itemsOf(item)
    return key && value && others.length === 0 ? ([key, value] as const) : refuse()
  })
}

/** `value[key]`. @throws NotEvaluated for an index or key that is not there */
export function itemAt(value: PyValue, key: PyValue): PyValue {
  const found =
    value.type === 'dict'
      ? value.entries.find(([each]) => pyEquals(each, key))?.[1]
      : value.type === 'set' || (key.type !== 'int' && key.type !== 'bool')
        ? undefined
        : itemsOf(value).at(Number(key.value))
  if (!found) throw new NotEvaluated()
  return found
}

/** `value[from:to:step]`, each `None` where it is left out. */
export function sliceOf(value: PyValue, from: PyValue, to: PyValue, step: PyValue): PyValue {
  if (value.type !== 'list' && value.type !== 'tuple' && value.type !== 'str') throw new NotEvaluated()
  const items = itemsOf(value)
  const by = boundOf(step) ?? 1
  if (by === 0) throw new NotEvaluated()
  const clamp = (bound: number | null, otherwise: number) => {
    if (bound === null) return otherwise
    const at = bound < 0 ? bound + items.length : bound
    return by > 0 ? Math.min(Math.max(at, 0), items.length) : Math.min(Math.max(at, -1), items.length - 1)
  }
  const start = clamp(boundOf(from), by > 0 ? 0 : items.length - 1)
  const end = clamp(boundOf(to), by > 0 ? items.length : -1)
  const taken: PyValue[] = []
  for (let at = start; by > 0 ? at < end : at > end; at += by) taken.push(items[at] ?? NONE)
  if (value.type !== 'str') return { type: value.type, items: taken }
  return { type: 'str', value: taken.map(item => (item.type === 'str' ? item.value : '')).join('') }
}

function boundOf(value: PyValue): number | null {
  if (value.type === 'none') return null
  if (value.type !== 'int') throw new NotEvaluated()
  return Number(value.value)
}
