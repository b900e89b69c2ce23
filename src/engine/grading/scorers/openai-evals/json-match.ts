import { sameWhole } from '../text/json-text.ts'
import { isObject } from '../../../../lib/json-value.ts'

/** openai/evals' equality of JSON values, which is Python's: keys in any order, true equals 1; null is never correct, not even against null. */
export function jsonMatches(value: unknown, target: unknown): boolean {
  if (value === null || value === undefined || target === null || target === undefined) return false
  if (Array.isArray(value))
    return Array.isArray(target) && value.length === target.length && value.every((item, i) => jsonMatches(item, target[i]))
  if (!isObject(value)) {
    const [left, right] = [pythonScalar(value), pythonScalar(target)]
    return left === right || sameWhole(left, right)
  }
  if (!isObject(target)) return false
  return [...new Set([...Object.keys(value), ...Object.keys(target)])].every(key => jsonMatches(value[key], target[key]))
}

/** In Python a truth value is a number. */
function pythonScalar(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}
