import type { PreparedScorer, Scorer, ScorerDescription } from './scorer.ts'

/** A scorer from its `prepare`: scoring one output is preparing and calling once. */
export function defineScorer<Options>(
  definition: ScorerDescription<Options> & { prepare(options: Options): PreparedScorer },
): Scorer<Options> {
  return { ...definition, score: (input, options) => definition.prepare(options)(input) }
}
