/** Mean score that a model has on a task, over its past runs. */
export interface PastScore {
  readonly taskNo: number
  /** Names the model and its endpoint; the same for every run of it. */
  readonly model: string
  /** Identity of the model across routes; see `modelIdentity`. */
  readonly identity: string
  readonly value: number
}

/** Weight, in models, of the prior that a task separates no models. */
const priorModels = 2

/**
 * How well each task separates models: over all pairs of models that answered it, the mean of the gap between their scores on it,
 * counted positive where the model that is better on the other tasks is ahead; shrunk towards 0 by (m − 1) / (m − 1 + 2) for m models,
 * so that two models alone say little. 1: always, and wholly; 0: not at all; below 0: the wrong way round. Models that are equal on the
 * other tasks tell nothing. Only tasks that two models answered are there.
 *
 * Results of the models that are to be judged must not be among the scores: tasks chosen by their own answers would show those answers
 * again and not how good the models are. All scores should be of one source.
 */
export function separationByTask(scores: readonly PastScore[]): Map<number, number> {
  const totals = new Map(
    [...Map.groupBy(scores, score => score.model)].map(([model, own]) => [
      model,
      { sum: own.reduce((sum, { value }) => sum + value, 0), n: own.length },
    ]),
  )
  const separations = new Map<number, number>()
  for (const [taskNo, own] of Map.groupBy(scores, score => score.taskNo)) {
    const answers = [...Map.groupBy(own, score => score.model)].map(([model, all]) => ({
      value: meanOf(all),
      ability: meanWithout(all, totals.get(model)),
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
    const evidence = answers.length - 1
    separations.set(taskNo, ((sum / pairs) * evidence) / (evidence + priorModels))
  }
  return separations
}

/** A model's mean over the other tasks; 0 where there are none. */
function meanWithout(own: readonly PastScore[], total: { readonly sum: number; readonly n: number } | undefined): number {
  const n = (total?.n ?? 0) - own.length
  return n === 0 ? 0 : ((total?.sum ?? 0) - own.reduce((sum, { value }) => sum + value, 0)) / n
}

function meanOf(scores: readonly PastScore[]): number {
  return scores.reduce((sum, { value }) => sum + value, 0) / scores.length
}
