import type { AnswerMark, Results } from '../../../contract/index.ts'

const order: readonly AnswerMark[] = ['filtered', 'cut_off', 'empty']

const messages: Readonly<Record<AnswerMark, (count: number, of: number) => string>> = {
  filtered: (count, of) =>
    `${count} of ${of} answers were stopped by the provider’s content filter. They count as refused and are excluded from the mean.`,
  cut_off: (count, of) =>
    `${count} of ${of} answers reached the token limit and were cut off. They were graded as they are; allow more output tokens to see what they would score.`,
  empty: (count, of) => `${count} of ${of} answers held no text although the provider reported success. The empty answers were graded.`,
}

/** How many answers ended in a way that a reader of their score must know. */
export function answerNotices(marks: ReadonlyMap<AnswerMark, number>, answers: number): Results['notices'] {
  return order.flatMap(mark => {
    const count = marks.get(mark) ?? 0
    return count === 0 ? [] : [{ code: `answers_${mark}`, message: messages[mark](count, answers) }]
  })
}
