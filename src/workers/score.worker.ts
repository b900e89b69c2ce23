import type { MetricPlan } from '../engine/execution/scheduler/ports.ts'
import { prepareScorer } from '../engine/grading/scorers/registry.ts'
import type { PreparedScorer, Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'

export interface ScoreTask {
  readonly metrics: readonly MetricPlan[]
  readonly inputs: readonly ScoreInput[]
}

/** Compiling a pattern takes as long as grading dozens of outputs by it, and a run's batches all have the same few metrics. */
const prepared = new Map<string, PreparedScorer>()
const mostPrepared = 64

/** Grades each output by each metric; a row per output, by metric number. */
export default function score({ metrics, inputs }: ScoreTask): Score[][] {
  const scorers = metrics.map(scorerOf)
  return inputs.map(input => scorers.map(scorer => scorer(input)))
}

function scorerOf({ scorer, options }: MetricPlan): PreparedScorer {
  const key = JSON.stringify([scorer, options])
  const known = prepared.get(key)
  if (known) return known
  if (prepared.size >= mostPrepared) prepared.clear()
  const made = prepareScorer({ scorer, options })
  prepared.set(key, made)
  return made
}
