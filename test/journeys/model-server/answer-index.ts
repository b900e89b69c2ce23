/** Finds the recorded answer for a prompt; null where none of the questions is in it. */
export type FindAnswer = (prompt: string) => string | null

/** Characters of a question by which it is looked for first. */
const keyLength = 24

/**
 * Looks answers up by question: the whole prompt, or the recorded question that stands last in it, so that worked examples before it do no harm.
 * One pass over the prompt, however many questions there are.
 */
export function indexAnswers(answers: ReadonlyMap<string, string>): FindAnswer {
  const short: string[] = []
  const byBeginning = new Map<string, string[]>()
  for (const question of answers.keys()) {
    const beginning = question.slice(0, keyLength)
    if (beginning.length < keyLength) short.push(question)
    else byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), question])
  }
  return prompt => {
    const exact = answers.get(prompt)
    if (exact !== undefined) return exact
    let found = lastOf(short, prompt)
    for (const place of wordStarts(prompt)) {
      const candidates = byBeginning.get(prompt.slice(place, place + keyLength)) ?? []
      for (const question of candidates) {
        if (prompt.startsWith(question, place)) found = laterOf(found, { question, place })
      }
    }
    return found === null ? null : (answers.get(found.question) ?? null)
  }
}

interface Place {
  readonly question: string
  readonly place: number
}

function lastOf(questions: readonly string[], prompt: string): Place | null {
  let last: Place | null = null
  for (const question of questions) {
    const place = prompt.lastIndexOf(question)
    if (place !== -1) last = laterOf(last, { question, place })
  }
  return last
}

function laterOf(a: Place | null, b: Place): Place {
  if (a === null || b.place !== a.place) return a === null || b.place > a.place ? b : a
  return b.question.length > a.question.length ? b : a
}

function* wordStarts(text: string): Generator<number> {
  yield 0
  for (const gap of text.matchAll(/\s+/g)) yield gap.index + gap[0].length
}
