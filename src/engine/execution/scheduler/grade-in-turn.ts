import { isBounded } from '../../grading/scorers/bounded-scorers.ts'
import { prepareScorer } from '../../grading/scorers/registry.ts'
import type { PreparedScorer, Score, ScoreInput } from '../../grading/scorers/scorer.ts'
import type { MetricPlan } from './ports.ts'

/** Characters of an answer and of its task up to which it is graded here. */
const mostCharacters = 8_000
/** Milliseconds that grading one answer may take. */
const mostMs = 5
/** Answers that may take longer, as the system may have stopped the process meanwhile, before all go to the threads. */
const mostSlow = 3

/** Grades answers at once, without a thread. */
export interface TurnGrader {
  takes(input: ScoreInput): boolean
  /** Null where that could take long: then a scoring thread grades it. */
  grade(input: ScoreInput): readonly Score[] | null
}

/**
 * Handing an answer to a thread costs more than most scorers do, so those that are known to take time in proportion to the answer run
 * in the scheduler's own turn.
 * @param monotonic milliseconds that only grow
 */
export function createTurnGrader(metrics: readonly MetricPlan[], monotonic: () => number): TurnGrader {
  let slow = 0
  const prepared = metrics.length > 0 && metrics.every(isBounded) ? prepareAll(metrics) : null
  const takes = (input: ScoreInput) => prepared !== null && slow < mostSlow && charactersOf(input) <= mostCharacters
  return {
    takes,
    grade: input => {
      if (!prepared || !takes(input)) return null
      const began = monotonic()
      const scores = prepared.map(score => score(input))
      if (monotonic() - began > mostMs) slow++
      return scores
    },
  }
}

function prepareAll(metrics: readonly MetricPlan[]): PreparedScorer[] | null {
  try {
    return metrics.map(({ scorer, options }) => prepareScorer({ scorer, options }))
  } catch {
    // The thread fails for the same reason and reports it.
    return null
  }
}

function charactersOf({ output, targets, choices = [] }: ScoreInput): number {
  return [...targets, ...choices].reduce((sum, text) => sum + text.length, output.length)
}
