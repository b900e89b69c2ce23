import type { Language } from '../../sandbox/tier.ts'
import { checkOutput } from '../evalplus/check-output.ts'
import { numberOf, pyEquals, type PyValue } from '../python/values.ts'

/** Functions of MBPP+ whose order of results is free. */
const setEqual = new Set([
  'similar_elements',
  'find_char_long',
  'common_in_nested_lists',
  'extract_singly',
  'larg_nnum',
  'intersection_array',
  'find_dissimilar',
  'Diff',
])
/** Functions of MBPP+ of which only matters whether they return something. */
const notNone = new Set(['check_str', 'text_match_three', 'text_starta_endb'])

/** One returned value against the right one by evalplus's rules, its special cases by name of function included. */
export function isRight(
  entryPoint: string,
  args: PyValue | null,
  actual: PyValue,
  expected: PyValue,
  tolerance: number,
  language: Language = 'python',
): { readonly isEqual: boolean; readonly tolerance: number } {
  const same = (isEqual: boolean) => ({ isEqual, tolerance })
  if (entryPoint === 'are_equivalent') return same(true)
  if (entryPoint === 'sum_div') return same(pyEquals(actual, expected) || numberOf(actual) === 0n)
  if (notNone.has(entryPoint)) return same((actual.type !== 'none') === (expected.type !== 'none') || pyEquals(actual, expected))
  if (setEqual.has(entryPoint) && 'items' in actual && 'items' in expected)
    return same(pyEquals({ type: 'set', items: actual.items }, { type: 'set', items: expected.items }))
  if (entryPoint === 'find_zero' && args && 'items' in args) return same(isRoot(args.items[0] ?? null, actual, tolerance))
  return checkOutput(actual, expected, tolerance, language)
}

function isRoot(coefficients: PyValue | null, actual: PyValue, tolerance: number): boolean {
  const x = numberOf(actual)
  if (x === null || !coefficients || !('items' in coefficients)) return false
  const value = coefficients.items.reduce((sum, item, power) => sum + Number(numberOf(item) ?? Number.NaN) * Number(x) ** power, 0)
  return Math.abs(value) <= tolerance
}
