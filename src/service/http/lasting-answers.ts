/** Texts of answers that never change, null until they are first sent. */
const texts = new WeakMap<object, string | null>()

/**
 * Marks an answer that never changes, so that it is written as JSON once: the OpenAPI document takes 20 ms, in which no other caller is
 * answered, and a caller needs no key to ask for it.
 */
export function lasting<Answer extends object>(answer: Answer): Answer {
  if (!texts.has(answer)) texts.set(answer, null)
  return answer
}

/** An answer that a thread has written as JSON already; who sends it reads none of it. */
export function written<Answer extends object>(text: string): Answer {
  const answer = {} as Answer // its text stands for it
  texts.set(answer, text)
  return answer
}

/** An answer as JSON. */
export function writeAnswer(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer)
  const known = texts.get(answer)
  if (known) return known
  const text = JSON.stringify(answer)
  if (known === null) texts.set(answer, text)
  return text
}
