import { isJsonObject } from '../text/json-text.ts'

/** openai/evals' equality of JSON values: exact, keys in any order; null is never correct, not even against null. */
export function jsonMatches(value: unknown, target: unknown): boolean {
  if (value === null || value === undefined || target === null || target === undefined) return false
  if (Array.isArray(value))
    return Array.isArray(target) && value.length === target.length && value.every((item, i) => jsonMatches(item, target[i]))
  if (!isJsonObject(value)) return value === target
  if (!isJsonObject(target)) return false
  return [...new Set([...Object.keys(value), ...Object.keys(target)])].every(key => jsonMatches(value[key], target[key]))
}
