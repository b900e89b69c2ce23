/** What lm-eval writes where a filter finds nothing. No other scorer takes this for an answer either. */
export const INVALID = '[invalid]'

/** Whether a scorer took an answer from an output. */
export function hasAnswer(answer: string | null | undefined): answer is string {
  return typeof answer === 'string' && answer !== INVALID && answer.trim() !== ''
}
