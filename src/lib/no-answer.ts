/** What lm-eval writes where a filter finds nothing. */
export const INVALID = '[invalid]'

/** Whether a scorer took no answer from an output. */
export function isNoAnswer(answer: string | null): boolean {
  return answer === null || answer === INVALID || answer.trim() === ''
}
