/** Mean score that a model has on a task, over its past runs. */
export interface PastScore {
  readonly taskNo: number
  /** Names the model; the same for every run of it. */
  readonly model: string
  readonly value: number
}

/**
 * How well each task separates models: over all pairs of models that answered it, the mean of the gap between their scores on it,
 * counted positive where the model that is better overall is ahead. 1: always, and wholly; 0: not at all; below 0: the wrong way
 * round. Models that are equal overall tell nothing. Only tasks that two models answered are there.
 *
 * `Overall` is the mean over the tasks given, which should be of one source.
 */
export function separationByTask(scores: readonly PastScore[]): Map<number, number> {
  const overall = new Map([...Map.groupBy(scores, score => score.model)].map(([model, own]) => [model, meanOf(own)]))
  const separations = new Map<number, number>()
  for (const [taskNo, own] of Map.groupBy(scores, score => score.taskNo)) {
    const answers = [...Map.groupBy(own, score => score.model)].map(([model, all]) => ({
      value: meanOf(all),
      ability: overall.get(model) ?? 0,
    }))
    if (answers.length < 2) continue
    let sum = 0
    let pairs = 0
    for (const [i, a] of answers.entries()) {
      for (const b of answers.slice(i + 1)) {
        sum += (a.value - b.value) * Math.sign(a.ability - b.ability)
        pairs++
      }
    }
    separations.set(taskNo, sum / pairs)
  }
  return separations
}

function meanOf(scores: readonly PastScore[]): number {
  return scores.reduce((sum, { value }) => sum + value, 0) / scores.length
}
