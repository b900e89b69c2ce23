/** A Python value, as far as the scorers compare them. Whole numbers keep every digit. */
export type PyValue =
  | { readonly type: 'none' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: string }
  | { readonly type: 'list' | 'tuple' | 'set'; readonly items: readonly PyValue[] }
  | { readonly type: 'dict'; readonly entries: readonly (readonly [PyValue, PyValue])[] }
  /** `month` is 1 to 12. */
  | { readonly type: 'date'; readonly year: number; readonly month: number; readonly day: number }
  | { readonly type: 'datetime'; readonly year: number; readonly month: number; readonly day: number; readonly seconds: number }
  /** `seconds` of the day, with a fraction. */
  | { readonly type: 'time'; readonly seconds: number }

export const NONE: PyValue = { type: 'none' }
export const int = (value: bigint | number): PyValue => ({ type: 'int', value: BigInt(value) })
export const bool = (value: boolean): PyValue => ({ type: 'bool', value })
export const str = (value: string): PyValue => ({ type: 'str', value })
export const list = (items: readonly PyValue[]): PyValue => ({ type: 'list', items })
/** Ranges, views and iterators: they equal no list, and this is all that is asked of them. */
export const view = (items: readonly PyValue[]): PyValue => ({ type: 'tuple', items })

/** A number as Python's `==` sees it: booleans are 0 and 1. Null for what is not a number. */
export function numberOf(value: PyValue): bigint | number | null {
  if (value.type === 'bool') return value.value ? 1n : 0n
  return value.type === 'int' || value.type === 'float' ? value.value : null
}

/** `a == b`: numbers by value whatever their type, a list never equals a tuple, NaN equals nothing. */
export function pyEquals(a: PyValue, b: PyValue): boolean {
  const numberA = numberOf(a)
  const numberB = numberOf(b)
  // JavaScript compares a bigint with a number by value, as Python does.
  // oxlint-disable-next-line eqeqeq
  if (numberA !== null && numberB !== null) return numberA == numberB
  if (a.type === 'list' || a.type === 'tuple')
    return b.type === a.type && a.items.length === b.items.length && a.items.every((item, i) => pyEquals(item, b.items[i] ?? NONE))
  if (a.type === 'set') return b.type === 'set' && sameKeys(new Set(a.items.map(hashKey)), new Set(b.items.map(hashKey)))
  if (a.type === 'dict') return b.type === 'dict' && sameEntries(a.entries, b.entries)
  return a.type === b.type && hashKey(a) === hashKey(b)
}

/** A text that is the same for two hashable values exactly when they are equal; except that only `pyEquals` treats NaN as unequal to itself. */
export function hashKey(value: PyValue): string {
  const number = numberOf(value)
  if (number !== null) return typeof number === 'number' && Number.isInteger(number) ? `#${BigInt(number)}` : `#${number}`
  if (value.type === 'list' || value.type === 'tuple' || value.type === 'set') return `${value.type}(${value.items.map(hashKey).join(',')})`
  if (value.type === 'dict') return `dict(${value.entries.map(entry => entry.map(hashKey).join(':')).join(',')})`
  return JSON.stringify(value)
}

function sameKeys(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(key => b.has(key))
}

type Entries = readonly (readonly [PyValue, PyValue])[]

function sameEntries(a: Entries, b: Entries): boolean {
  if (a.length !== b.length) return false
  const values = new Map(b.map(([key, value]) => [hashKey(key), value]))
  return a.every(([key, value]) => {
    const other = values.get(hashKey(key))
    return other !== undefined && pyEquals(value, other)
  })
}
