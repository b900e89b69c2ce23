import type { Language } from '../../sandbox/tier.ts'
import { NONE, numberOf, pyEquals, type PyValue } from '../python/values.ts'

/** What evalplus falls back to for a float or a sequence of floats where the task sets no tolerance. */
const floatTolerance = 1e-6
const relativeTolerance = 1e-7

export interface OutputCheck {
  readonly isEqual: boolean
  /** The tolerance in force from here on: once a float made it 1e-6, evalplus keeps it for the task's later inputs. */
  readonly tolerance: number
}

/**
 * evalplus's comparison of one returned value with the expected one. `tolerance` is absolute; 0 asks for equality. JavaScript has one type
 * of number, so that there a whole one stands among floats as one of them.
 */
export function checkOutput(actual: PyValue, expected: PyValue, tolerance: number, language: Language = 'python'): OutputCheck {
  const isOneType = language === 'javascript'
  const areFloats = isOneType ? areNumbers(expected) && (holdsFloat(expected) || holdsFloat(actual)) : isFloats(expected)
  const inForce = tolerance === 0 && areFloats ? floatTolerance : tolerance
  if (pyEquals(actual, expected)) return { isEqual: true, tolerance: inForce }
  if (inForce === 0) return { isEqual: false, tolerance: inForce }
  const isSameType = actual.type === expected.type || (isOneType && isNumber(actual) && isNumber(expected))
  return { isEqual: isSameType && isClose(actual, expected, inForce), tolerance: inForce }
}

/** A float, or a list or tuple that holds nothing but floats and at least one. */
function isFloats(value: PyValue): boolean {
  if (value.type === 'float') return true
  return (value.type === 'list' || value.type === 'tuple') && value.items.length > 0 && value.items.every(item => item.type === 'float')
}

function isNumber({ type }: PyValue): boolean {
  return type === 'int' || type === 'float'
}

/** A number, or a list that holds nothing but numbers and at least one. */
function areNumbers(value: PyValue): boolean {
  return isNumber(value) || (value.type === 'list' && value.items.length > 0 && value.items.every(isNumber))
}

function holdsFloat(value: PyValue): boolean {
  return value.type === 'float' || (value.type === 'list' && value.items.some(item => item.type === 'float'))
}

/** `np.allclose` on numbers and on sequences of numbers; NaN is close to nothing. */
function isClose(actual: PyValue, expected: PyValue, tolerance: number): boolean {
  if ('items' in actual && 'items' in expected) {
    const wanted = expected.items
    return actual.items.length === wanted.length && actual.items.every((item, i) => isClose(item, wanted[i] ?? NONE, tolerance))
  }
  const a = numberOf(actual)
  const b = numberOf(expected)
  if (a === null || b === null) return false
  return Number(a) === Number(b) || Math.abs(Number(a) - Number(b)) <= tolerance + relativeTolerance * Math.abs(Number(b))
}
