import { graded, type Extraction } from '../verdict.ts'
import type { Score } from '../scorer.ts'

/** Inspect's verdicts: correct, incorrect, partly correct, no answer. */
export type Grade = 'C' | 'I' | 'P' | 'N'

const values: Readonly<Record<Grade, number>> = { C: 1, I: 0, P: 0.5, N: 0 }

/** What the value of a grade letter is; null for any other text. */
export function gradeValue(letter: string): number | null {
  return letter === 'C' || letter === 'I' || letter === 'P' || letter === 'N' ? values[letter] : null
}

/** A score under Inspect's rules: `N` counts as 0, as it does in Inspect's accuracy. */
export function gradedAs(grade: Grade, answer: string | null, explanation: string, span: Omit<Extraction, 'text'> | null = null): Score {
  return graded(values[grade], { answer, explanation, label: grade, span: span && { start: span.start, end: span.end } })
}
