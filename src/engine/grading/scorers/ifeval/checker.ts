import { SPACE_CLASS, WORD_CLASS } from '../python/strings.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import { firstMatch, type Pattern } from '../patterns/pattern.ts'
import { fixedPattern } from '../patterns/fixed-pattern.ts'

/** Whether a response follows one instruction. */
export type Checker = (response: string) => boolean

/** A checker for an instruction with these arguments. @throws Error naming an argument that is missing or of the wrong kind */
export type MakeChecker = (kwargs: Kwargs) => Checker

export type Kwargs = Readonly<Record<string, unknown>>

export function textOf(kwargs: Kwargs, name: string): string {
  const value = kwargs[name]
  if (typeof value !== 'string') throw missing(name, 'a text', value)
  return value
}

export function textsOf(kwargs: Kwargs, name: string): readonly string[] {
  const value = kwargs[name]
  if (!Array.isArray(value) || value.length === 0 || !value.every(item => typeof item === 'string'))
    throw missing(name, 'a list of texts', value)
  return value
}

export function countOf(kwargs: Kwargs, name: string): number {
  const value = kwargs[name]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw missing(name, 'a number', value)
  return value
}

/** The comparison of the instruction: `at least` is >=, `less than` is <. */
export function relationOf(kwargs: Kwargs, name: string): (count: number, threshold: number) => boolean {
  const value = kwargs[name]
  if (value === 'at least') return (count, threshold) => count >= threshold
  if (value === 'less than') return (count, threshold) => count < threshold
  throw missing(name, '"at least" or "less than"', value)
}

/** The original replaces a missing argument by a random one; a score must not be random, so this is an error here. */
function missing(name: string, wanted: string, value: unknown): Error {
  return new Error(`the argument ${name} must be ${wanted} but is ${JSON.stringify(value) ?? 'missing'}`)
}

const metacharacters = /[\\^$.*+?()[\]{}|]/

/**
 * The keyword of an instruction, which the original uses as a regular expression without escaping it. A plain text runs on the
 * JavaScript engine; anything with a metacharacter runs on RE2.
 */
export function keywordPattern(keyword: string, ignoreCase = true): Pattern {
  return metacharacters.test(keyword)
    ? userPattern(keyword, { ignoreCase })
    : fixedPattern(new RegExp(keyword, ignoreCase ? 'iu' : 'u'), keyword)
}

/** The mark of a section: the keyword and a number, white space around both. */
export function sectionPattern(keyword: string): Pattern {
  if (metacharacters.test(keyword)) return userPattern(String.raw`\s?${keyword}\s?\d+\s?`)
  return fixedPattern(new RegExp(String.raw`[${SPACE_CLASS}]?${keyword}[${SPACE_CLASS}]?\p{Nd}+[${SPACE_CLASS}]?`, 'u'), keyword)
}

/** Whether `\bkeyword\b` occurs, without regard to case, with Python's idea of a word where the keyword is plain text. */
export function wholeWordChecker(keyword: string): Checker {
  if (metacharacters.test(keyword)) {
    const pattern = userPattern(String.raw`\b${keyword}\b`, { ignoreCase: true })
    return text => occursIn(pattern, text)
  }
  // Word boundaries as lookaround in the expression itself take V8 a millisecond to compile for each keyword.
  const occurrence = new RegExp(keyword, 'giu')
  return text => {
    occurrence.lastIndex = 0
    for (let match = occurrence.exec(text); match; match = occurrence.exec(text)) {
      if (isBoundary(text, match.index) && isBoundary(text, match.index + match[0].length)) return true
      // By a whole character: between the halves of a surrogate pair the engine would step back and find the same match again.
      occurrence.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1)
    }
    return false
  }
}

const wordCharacter = new RegExp(`^[${WORD_CLASS}]$`, 'u')

/** Whether exactly one side of the position is a word character. */
function isBoundary(text: string, position: number): boolean {
  return isWordAt(text, position - 1) !== isWordAt(text, position)
}

function isWordAt(text: string, position: number): boolean {
  const code = text.codePointAt(position)
  if (position < 0 || code === undefined) return false
  // The second half of a surrogate pair stands for the whole character.
  const start = code >= 0xdc00 && code <= 0xdfff && position > 0 ? position - 1 : position
  return wordCharacter.test(String.fromCodePoint(text.codePointAt(start) ?? 0))
}

export function occursIn(pattern: Pattern, text: string): boolean {
  return firstMatch(pattern, text) !== null
}

export function countOccurrences(pattern: Pattern, text: string): number {
  let count = 0
  for (const _match of pattern.matches(text)) count++
  return count
}
