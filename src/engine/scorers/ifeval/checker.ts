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
  if (!Array.isArray(value) || value.length === 0 || !value.every(item => typeof item === 'string')) throw missing(name, 'a list of texts', value)
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
const boundary = `(?:(?<=[${WORD_CLASS}])(?![${WORD_CLASS}])|(?<![${WORD_CLASS}])(?=[${WORD_CLASS}]))`

type Surrounding = 'none' | 'word boundaries' | 'section number'

const surroundings: Readonly<Record<Surrounding, { javascript: (literal: string) => string; python: (pattern: string) => string }>> = {
  none: { javascript: literal => literal, python: pattern => pattern },
  'word boundaries': { javascript: literal => `${boundary}${literal}${boundary}`, python: pattern => String.raw`\b${pattern}\b` },
  'section number': {
    javascript: literal => String.raw`[${SPACE_CLASS}]?${literal}[${SPACE_CLASS}]?\p{Nd}+[${SPACE_CLASS}]?`,
    python: pattern => String.raw`\s?${pattern}\s?\d+\s?`,
  },
}

/**
 * The keyword of an instruction, which the original uses as a regular expression without escaping it. A plain word runs on the
 * JavaScript engine with Python's idea of a word; anything with a metacharacter runs on RE2.
 */
export function keywordPattern(keyword: string, surrounding: Surrounding, ignoreCase = true): Pattern {
  const { javascript, python } = surroundings[surrounding]
  if (!metacharacters.test(keyword)) return fixedPattern(new RegExp(javascript(keyword), ignoreCase ? 'iu' : 'u'), keyword)
  return userPattern(python(keyword), { ignoreCase })
}

export function occursIn(pattern: Pattern, text: string): boolean {
  return firstMatch(pattern, text) !== null
}

export function countOccurrences(pattern: Pattern, text: string): number {
  let count = 0
  for (const _match of pattern.matches(text)) count++
  return count
}
