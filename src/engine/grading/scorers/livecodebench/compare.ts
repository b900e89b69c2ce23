import { sameDecimals } from '../python/decimal.ts'
import { pyEquals, type PyValue } from '../python/values.ts'
import { strip } from '../python/strings.ts'

/** Where the lines of two outputs part. */
export type StdoutDifference =
  | { readonly kind: 'line count'; readonly actual: number; readonly expected: number }
  | { readonly kind: 'line'; readonly line: number }

/**
 * LiveCodeBench's comparison of standard output: both stripped and split into stripped lines, each pair equal as text or as exact
 * decimal numbers. There is no tolerance.
 * @returns the first difference, with the line counted from 1, or null
 */
export function compareStdout(actual: string, expected: string): StdoutDifference | null {
  const left = strippedLines(actual)
  const right = strippedLines(expected)
  if (left.length !== right.length) return { kind: 'line count', actual: left.length, expected: right.length }
  const line = left.findIndex((text, i) => text !== right[i] && !sameDecimals(text, right[i] ?? ''))
  return line < 0 ? null : { kind: 'line', line: line + 1 }
}

function strippedLines(text: string): readonly string[] {
  return strip(text)
    .split('\n')
    .map(line => strip(line))
}

/** LiveCodeBench's comparison of a returned value with JSON: only the outermost tuple is taken as a list. */
export function compareReturned(actual: PyValue, expected: PyValue): boolean {
  return pyEquals(actual.type === 'tuple' ? { type: 'list', items: actual.items } : actual, expected)
}
