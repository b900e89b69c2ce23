import type { MetricPlan } from '../engine/scheduler/ports.ts'
import { prepareScorer } from '../engine/scorers/registry.ts'
import type { Score, ScoreInput } from '../engine/scorers/scorer.ts'

export interface ScoreTask {
  readonly metrics: readonly MetricPlan[]
  readonly inputs: readonly ScoreInput[]
}

/** Grades each output by each metric; a row per output, by metric number. */
export default function score({ metrics, inputs }: ScoreTask): Score[][] {
  const scorers = metrics.map(metric => prepareScorer({ scorer: metric.scorer, options: metric.options }))
  return inputs.map(input => scorers.map(scorer => scorer(input)))
}
