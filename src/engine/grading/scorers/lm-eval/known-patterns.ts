import { fixedPattern } from '../patterns/fixed-pattern.ts'
import type { Pattern } from '../patterns/pattern.ts'
import { userPattern } from '../patterns/user-pattern.ts'

/** The number after the first `#### `: GSM8K's `strict-match`, and the default of the `regex` filter. */
export const STRICT_NUMBER = String.raw`#### (\-?[0-9\.\,]+)`
/** Any run of digits, `$`, `.` and `,`: GSM8K's `flexible-extract`, which takes the last. */
export const FLEXIBLE_NUMBER = '(-?[$0-9.,]{2,})|(-?[0-9]+)'
/** BIG-Bench Hard: the text between "the answer is " and the last character of the line. */
const BBH_ANSWER = '(?<=the answer is )(.*)(?=.)'

// Patterns of published tasks that RE2 cannot run or runs slowly. Read and found to need time in proportion to the text.
const known: ReadonlyMap<string, Pattern> = new Map([
  [STRICT_NUMBER, fixedPattern(/#### (-?[0-9.,]+)/, STRICT_NUMBER)],
  [FLEXIBLE_NUMBER, fixedPattern(/(-?[$0-9.,]{2,})|(-?[0-9]+)/, FLEXIBLE_NUMBER)],
  [BBH_ANSWER, fixedPattern(/(?<=the answer is )([^\n]*)(?=[^\n])/, BBH_ANSWER)],
  [',', fixedPattern(/,/)],
  [String.raw`\$`, fixedPattern(/\$/, String.raw`\$`)],
  ['(?s).*#### ', fixedPattern(/^[^]*#### /, '(?s).*#### ')],
  [String.raw`\.$`, fixedPattern(/\.(?=\n?$)/, String.raw`\.$`)],
])

/** A task's pattern: the published ones as reviewed here, all others on RE2. */
export function taskPattern(source: string): Pattern {
  return known.get(source) ?? userPattern(source)
}
