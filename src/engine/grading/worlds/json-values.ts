import { isObject } from '../../../lib/json-value.ts'

/** Levels of objects and lists in a value of a world; deeper ones are refused before anything walks through them. */
export const mostLevels = 64
export const tooDeep = `is nested deeper than ${mostLevels} levels.`

/** Whether objects and lists are nested deeper than so many levels. Never recurses, so that no value exhausts the stack. */
export function isDeeperThan(most: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    // Each once: YAML can repeat a value within itself, which would double with each level.
    level = [...new Set(level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : [])))]
  }
  return false
}

/**
 * Equality by type: numbers by value, texts in Unicode form NFC, lists in their order, objects whatever the order of their keys.
 * Neither value is deeper than `mostLevels`.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b || a.normalize('NFC') === b.normalize('NFC')
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i]))
  if (!isObject(a) || !isObject(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
}

/** A value as JSON, cut after so many characters. */
export function shown(value: unknown, most = 160): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}
