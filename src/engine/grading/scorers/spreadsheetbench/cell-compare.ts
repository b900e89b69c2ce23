import { parseFloatText, roundHalfEven } from '../python/numbers.ts'
import { numberOf, pyEquals, type PyValue } from '../python/values.ts'

const serialStart = Date.UTC(1899, 11, 30)
const day = 86_400_000

/** SpreadsheetBench's comparison of two cell values: normalized, of the same type, and equal. Empty text and no value are the same. */
export function sameCell(a: PyValue, b: PyValue): boolean {
  const left = normalized(a)
  const right = normalized(b)
  if (isEmpty(left) && isEmpty(right)) return true
  return left.type === right.type && pyEquals(left, right)
}

function isEmpty(value: PyValue): boolean {
  return value.type === 'none' || (value.type === 'str' && value.value === '')
}

/**
 * Numbers and booleans to two decimals; a date with time as whole days since 30 December 1899; a time as `HH:MM`; text as a number
 * where Python's `float` reads it. A date without time stays as it is.
 */
function normalized(value: PyValue): PyValue {
  const number = numberOf(value)
  if (number !== null) return { type: 'float', value: roundHalfEven(Number(number), 2) }
  switch (value.type) {
    case 'time':
      return { type: 'str', value: `${twoDigits(Math.floor(value.seconds / 3600))}:${twoDigits(Math.floor(value.seconds / 60) % 60)}` }
    case 'datetime': {
      const days = (Date.UTC(value.year, value.month - 1, value.day) - serialStart) / day
      return { type: 'float', value: roundHalfEven(days + value.seconds / 86_400, 0) }
    }
    case 'str': {
      const read = parseFloatText(value.value)
      return read === null ? value : { type: 'float', value: roundHalfEven(read, 2) }
    }
    default:
      return value
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
