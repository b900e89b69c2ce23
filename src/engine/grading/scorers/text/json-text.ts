import { isObject } from '../../../../lib/json-value.ts'

/** Equal JSON values: objects whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  if (isObject(a)) {
    const keys = Object.keys(a)
    return isObject(b) && keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  }
  return a === b || sameWhole(a, b)
}

/** Whether a number and a `bigint` are the same whole number. */
export function sameWhole(a: unknown, b: unknown): boolean {
  if (typeof a === 'bigint' && typeof b === 'number') return Number.isInteger(b) && BigInt(b) === a
  return typeof a === 'number' && typeof b === 'bigint' && sameWhole(b, a)
}
