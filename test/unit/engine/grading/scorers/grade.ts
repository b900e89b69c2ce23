import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import type { Score, ScoreInput } from '../../../../../src/engine/grading/scorers/scorer.ts'

/** Grades one output: several targets mean any of them. */
export function grade(
  scorer: string,
  options: unknown,
  output: string,
  target: string | readonly string[],
  more: Partial<ScoreInput> = {},
): Score {
  return gradeOne({ scorer, options }, { output, targets: typeof target === 'string' ? [target] : target, ...more })
}

/** The value alone. */
export function valueOf(
  scorer: string,
  options: unknown,
  output: string,
  target: string | readonly string[],
  more: Partial<ScoreInput> = {},
): number | null {
  return grade(scorer, options, output, target, more).value
}
