import { SPACE_CLASS, WORD_CLASS } from '../python/strings.ts'

// Zero-width characters and direction marks may surround the colon.
const spacing = String.raw`[${SPACE_CLASS}\u200b-\u200f\u2060\ufeff]{0,100}`
const gradeMark = new RegExp(`(?<![${WORD_CLASS}])grade(?![${WORD_CLASS}])${spacing}:${spacing}([${WORD_CLASS}]*)`, 'giu')

/** The word after the last `GRADE:` of a judge's reply; null without any. "downgrade:" is not a grade. */
function lastGradeWord(reply: string): string | null {
  let word: string | null = null
  for (const match of reply.matchAll(gradeMark)) word = match[1] ?? ''
  return word
}

/** The last `GRADE: C`, `P` or `I` of a reply by Inspect's default pattern, upper case; later words that are none of these do not count. */
export function defaultPatternGrade(reply: string): string | null {
  let grade: string | null = null
  for (const match of reply.matchAll(gradeMark)) if (/^[CPI]/i.test(match[1] ?? '')) grade = (match[1] ?? '').slice(0, 1).toUpperCase()
  return grade
}

/**
 * The verdict of a judge who was given Inspect's default instructions: the first letter of the word after the last `GRADE:`, if it
 * was on offer. A verdict off the menu never falls back to an earlier one.
 * @returns null when there is no usable verdict: the answer is then unscored
 */
export function offeredGrade(reply: string, partialCredit: boolean): 'C' | 'P' | 'I' | null {
  const letter = lastGradeWord(reply)?.slice(0, 1).toUpperCase()
  if (letter === 'C' || letter === 'I') return letter
  return letter === 'P' && partialCredit ? letter : null
}

/** Data for a judge's prompt with its own `[BEGIN DATA]` and `[END DATA]` marks made harmless. */
export function neutralizeDelimiters(text: string): string {
  return text.replace(/\[(?:BEGIN|END) DATA\]/gi, mark => mark.replace(' ', '-'))
}
