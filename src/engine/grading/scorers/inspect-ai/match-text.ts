import { formatGeneral } from '../python/numbers.ts'
import { ASCII_PUNCTUATION, casefold, splitWords, strip } from '../python/strings.ts'
import { parseNumber } from './unicode-number.ts'

export type MatchLocation = 'begin' | 'end' | 'any' | 'exact'

interface MatchOptions {
  readonly location: MatchLocation
  readonly ignoreCase: boolean
  readonly numeric: boolean
}

interface Matched {
  readonly answer: string
  readonly isMatch: boolean
}

const stripped = ` \t\n\r\v\f${ASCII_PUNCTUATION}`

/** Inspect's `match_str`: one target against one output. */
export function matchText(output: string, target: string, { location, ignoreCase, numeric }: MatchOptions): Matched {
  const answer = strip(output)
  const fold = ignoreCase ? casefold : (text: string) => text
  const wanted = fold(strip(target))
  const number = numeric ? withoutNumberMarks(wanted) : ''
  if (numeric && parseNumber(number) !== null) return matchNumber(answer, fold(answer), normalizeNumber(number), location)
  const text = strip(fold(answer), stripped)
  return { answer, isMatch: compare(text, strip(numeric ? number : wanted, stripped), location) }
}

function compare(text: string, target: string, location: MatchLocation): boolean {
  if (location === 'begin') return text.startsWith(target)
  if (location === 'end') return text.endsWith(target)
  return location === 'exact' ? text === target : text.includes(target)
}

/** With a number as target there is no falling back to text: "25" ends with "5" but is not 5. */
function matchNumber(answer: string, folded: string, target: string, location: MatchLocation): Matched {
  const text = withoutNumberMarks(folded)
  if (location === 'exact') return { answer: normalizeNumber(text), isMatch: normalizeNumber(text) === target }
  const words = splitWords(text)
  if (location === 'any') {
    const isMatch = words.some(word => numberToken(word) === target)
    return { answer: isMatch ? target : answer, isMatch }
  }
  if (location === 'end') words.reverse()
  const found = firstNumber(words)
  return { answer: found, isMatch: found === target }
}

function firstNumber(words: readonly string[]): string {
  for (const word of words) {
    const token = numberToken(word)
    if (token !== null) return token
  }
  return ''
}

/** A word as a number in five significant digits; null when it is not a number, as with "60%" and "(5)". */
function numberToken(word: string): string | null {
  return parseNumber(word) === null ? null : normalizeNumber(word)
}

function normalizeNumber(text: string): string {
  const number = parseNumber(text)
  return number === null ? text : formatGeneral(number, 5)
}

/** Without currency signs, thousands commas, emphasis marks, and full stops that no digit follows. */
function withoutNumberMarks(text: string): string {
  return text.replace(/\\?\$|[£€,*_]/g, '').replace(/\.(?!\p{Nd})/gu, '')
}
