import { isObject } from '../../../lib/json-value.ts'

/**
 * Whether a result is what a vector expects. Of an object only the expected keys count. Strings encode what JSON lacks: `NaN`,
 * `error: …` (any error will do, the words are ours), and bounds such as `> 0 and < 0.001`.
 */
export function matchesExpected(actual: unknown, expected: unknown, tolerance: number): boolean {
  if (typeof expected === 'number' && typeof actual === 'number')
    return Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected))
  if (typeof expected === 'string' && typeof actual === 'number')
    return expected === 'NaN' ? Number.isNaN(actual) : isWithin(actual, expected)
  if (typeof expected === 'string' && expected.startsWith('error:')) return typeof actual === 'string' && actual.startsWith('error:')
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((item, i) => matchesExpected(actual[i], item, tolerance))
    )
  if (isObject(expected))
    return isObject(actual) && Object.entries(expected).every(([key, item]) => matchesExpected(actual[key], item, tolerance))
  return actual === expected
}

function isWithin(actual: number, bounds: string): boolean {
  const parts = bounds.split(' and ').map(part => /^([<>]) ([0-9.]+)$/.exec(part))
  return parts.every(part => part !== null && (part[1] === '>' ? actual > Number(part[2]) : actual < Number(part[2])))
}
