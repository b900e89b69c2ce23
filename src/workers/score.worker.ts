import type { GradedOutput, MetricPlan } from '../engine/scheduler/ports.ts'
import { prepareScorer } from '../engine/scorers/registry.ts'
import type { ScoreInput } from '../engine/scorers/scorer.ts'
import { countTokens } from '../engine/tokens/count-tokens.ts'

export interface ScoreTask {
  readonly metrics: readonly MetricPlan[]
  readonly inputs: readonly (ScoreInput & { readonly countTokens: boolean })[]
}

/** Longer outputs are counted up to here and scaled: counting hostile text takes seconds a megabyte. */
const countedCharacters = 100_000

/** Grades each output by each metric. */
export default function score({ metrics, inputs }: ScoreTask): GradedOutput[] {
  const scorers = metrics.map(metric => prepareScorer({ scorer: metric.scorer, options: metric.options }))
  return inputs.map(input => ({ scores: scorers.map(scorer => scorer(input)), tokens: input.countTokens ? tokensOf(input.output) : null }))
}

function tokensOf(output: string): number {
  if (output.length <= countedCharacters) return countTokens(output)
  return Math.round((countTokens(output.slice(0, countedCharacters)) * output.length) / countedCharacters)
}
