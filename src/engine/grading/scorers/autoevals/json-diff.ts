import { editSimilarity } from '../text/edit-distance.ts'
import { isObject } from '../../../../lib/json-value.ts'

/**
 * autoevals' JSONDiff: the mean over the union of keys (of positions, over the longer list), texts by edit similarity, numbers by
 * relative difference, anything else by the edit similarity of its JSON with sorted keys. In [0, 1].
 */
export function jsonDiff(a: unknown, b: unknown): number {
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return keys.length === 0 ? 1 : keys.reduce((sum, key) => sum + jsonDiff(a[key], b[key]), 0) / keys.length
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const longest = Math.max(a.length, b.length)
    if (longest === 0) return 1
    let sum = 0
    for (let i = 0; i < Math.min(a.length, b.length); i++) sum += jsonDiff(a[i], b[i])
    return sum / longest
  }
  if (typeof a === 'string' && typeof b === 'string') return editSimilarity(a, b)
  if (typeof a === 'number' && typeof b === 'number') return numericDiff(a, b)
  const isMissing = (value: unknown) => value === null || value === undefined
  if (isMissing(a) || isMissing(b)) return isMissing(a) && isMissing(b) ? 1 : 0
  return editSimilarity(sortedJson(a), sortedJson(b))
}

/** 1 - |a - b| / (|a| + |b|); 1 for equal numbers. */
export function numericDiff(a: number, b: number): number {
  // A number too large for a double is infinite and has no difference.
  if (a === b || !Number.isFinite(a) || !Number.isFinite(b)) return a === b ? 1 : 0
  return 1 - Math.abs(a - b) / (Math.abs(a) + Math.abs(b))
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  )
}
