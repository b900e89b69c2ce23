import { parseFloatText } from '../python/numbers.ts'
import { gradeValue } from './grade.ts'

/** Words of a task that denote the grades, e.g. `{ correct: 'right' }`; without them C, I, P and N do. */
export interface GradeWords {
  readonly correct?: string
  readonly incorrect?: string
  readonly partial?: string
  readonly noanswer?: string
}

/** Whether a score is a word that Inspect takes for no number, and counts as 0. */
export function isOtherWord(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '' || gradeValue(value) !== null) return false
  return !/^(?:yes|no|true|false|nan)$/i.test(value.trim()) && !Number.isFinite(parseFloatText(value) ?? Number.NaN)
}

/**
 * Inspect's reading of a score's value as a number: numbers and booleans, grade letters, yes/true and no/false, finite numbers as
 * text. Anything else is 0.
 */
export function valueToFloat(value: unknown, words: GradeWords = {}): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return 0
  if (value === words.correct) return 1
  if (value === words.partial) return 0.5
  if (value === words.incorrect || value === words.noanswer) return 0
  const lower = value.toLowerCase()
  if (lower === 'yes' || lower === 'true') return 1
  if (lower === 'no' || lower === 'false') return 0
  const number = gradeValue(value) ?? parseFloatText(value)
  return number !== null && Number.isFinite(number) ? number : 0
}
