import type { Metric } from '../contract/catalog/benchmarks.schemas.ts'
import { ScorerConfigError } from '../engine/grading/scorers/config-error.ts'
import { codeScorers, prepareCodeScorer } from '../engine/grading/scorers/code/code-scorers.ts'
import type { Workers } from '../workers/pool.ts'
import type { ScorerProblem } from '../workers/score-pool.ts'

/** What is wrong with a scorer's options, or null. Their schemas and patterns are somebody else's, so they are compiled in a thread. */
export async function scorerProblem(
  workers: Pick<Workers, 'checkScorer'>,
  spec: Pick<Metric, 'scorer' | 'options'>,
  signal: AbortSignal,
): Promise<ScorerProblem | null> {
  if (!codeScorers.has(spec.scorer)) return workers.checkScorer(spec, signal)
  try {
    prepareCodeScorer(spec)
    return null
  } catch (error) {
    if (error instanceof ScorerConfigError) return { message: error.message, isLate: false }
    throw error
  }
}
