import { splitReasoning } from '../../lib/split-reasoning.ts'
import type { Score } from './scorers/scorer.ts'

/** An answer and where it begins in the text that it was taken from; null where it is in several pieces. */
export interface AnswerWithin {
  readonly answer: string
  readonly offset: number | null
}

/** The answer in a text that may hold reasoning too: outputs of datasets, and answers that earlier releases stored, do. */
export function answerWithin(text: string): AnswerWithin {
  const { output } = splitReasoning(text)
  return { answer: output, offset: text.endsWith(output) ? text.length - output.length : null }
}

/** A score of that answer with its span in the whole text. */
export function placedWithin<Placed extends Pick<Score, 'answerSpan'>>(score: Placed, { offset }: Pick<AnswerWithin, 'offset'>): Placed {
  const { answerSpan: span } = score
  if (offset === 0 || span === null) return score
  return { ...score, answerSpan: offset === null ? null : { start: span.start + offset, end: span.end + offset } }
}
