import type { Score } from '../scorers/scorer.ts'
import { graded } from '../scorers/verdict.ts'

/** The score of the answer to one turn, counted from 1. */
export interface TurnScore {
  readonly turn: number
  readonly score: Score
}

/**
 * The mean of the graded turns. One without a score leaves the whole without one.
 * @param turns at least one
 * @param answers of the conversation: the place of an answer is one in the last
 */
export function combineTurns(turns: readonly TurnScore[], answers: number): Score {
  const explanation = turns.map(({ turn, score: one }) => `Turn ${turn}: ${one.explanation}`).join(' ')
  const own = turns.find(({ turn }) => turn === answers)?.score
  const place = { answer: own?.answer ?? null, span: own?.answerSpan ?? null }
  const without = turns.find(({ score: { value } }) => value === null)
  if (without) return { ...without.score, answer: place.answer, answerSpan: place.span, explanation }
  const values = Object.fromEntries(turns.map(({ turn, score: { value } }) => [`turn_${turn}`, value]))
  const mean = turns.reduce((sum, { score: { value } }) => sum + (value ?? 0), 0) / turns.length
  return graded(mean, { ...place, explanation, values })
}
