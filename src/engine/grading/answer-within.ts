import type { Generation } from '../../contract/catalog/benchmarks.schemas.ts'
import { splitReasoning } from '../../lib/split-reasoning.ts'
import type { Score } from './scorers/scorer.ts'

/** An answer and where it begins in the text that it was taken from; null where it is in several pieces. */
export interface AnswerWithin {
  readonly answer: string
  readonly offset: number | null
}

/** What graders see of an answer whose reasoning was taken apart. */
export function gradedAnswer({ grade }: Pick<Generation, 'grade'>, { output, reasoning }: StoredAnswer): AnswerWithin {
  if (grade !== 'output_and_reasoning' || !reasoning) return { answer: output, offset: 0 }
  const before = output === '' ? reasoning : `${reasoning}\n\n`
  return { answer: before + output, offset: -before.length }
}

interface StoredAnswer {
  readonly output: string
  readonly reasoning: string | null
}

/** The same of an answer that is stored already: earlier releases stored reasoning within it. */
export function storedAnswerWithin(settings: Pick<Generation, 'grade' | 'reasoning'>, answer: StoredAnswer): AnswerWithin {
  return settings.reasoning === 'as_text' || settings.grade === 'output_and_reasoning'
    ? gradedAnswer(settings, answer)
    : answerWithin(answer.output)
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
  // What was found in the reasoning has no place in the answer.
  const isOutside = offset === null || span.start + offset < 0
  return { ...score, answerSpan: isOutside ? null : { start: span.start + offset, end: span.end + offset } }
}
