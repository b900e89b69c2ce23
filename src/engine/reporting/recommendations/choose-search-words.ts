/** Ranking costs some microseconds for each task that holds a word: so many are ranked at most. */
const mostRanked = 25_000
/** A word that more than this share of many tasks hold tells none of them apart. */
const tooCommon = 0.03

export interface WordFrequency {
  readonly word: string
  /** Tasks that hold it; more than `mostTelling` need not be counted. */
  readonly tasks: number
}

/** Tasks that may hold a word that is searched for. */
export function mostTelling(allTasks: number): number {
  return Math.max(mostRanked, Math.floor(allTasks * tooCommon))
}

/** The words to rank tasks by: the rarest, and as many more as can be ranked in time; none that is nearly everywhere. */
export function chooseSearchWords(frequencies: readonly WordFrequency[], allTasks: number): string[] {
  const telling = frequencies
    .filter(({ tasks }) => tasks > 0 && tasks <= mostTelling(allTasks))
    .toSorted((a, b) => a.tasks - b.tasks || (a.word < b.word ? -1 : 1))
  let ranked = 0
  return telling
    .filter(({ tasks }, i) => {
      ranked += tasks
      return i === 0 || ranked <= mostRanked
    })
    .map(({ word }) => word)
}
