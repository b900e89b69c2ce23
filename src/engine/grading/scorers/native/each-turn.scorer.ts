import { z } from 'zod'
import { combineTurns } from '../../evaluators/combine-turns.ts'
import { defineScorer } from '../define-scorer.ts'
import type { PreparedScorer, Score, ScoreInput, Scorer } from '../scorer.ts'
import { unscored } from '../verdict.ts'

export const eachTurnId = 'assay/each_turn'

/** Key of a task’s metadata: reference answers of each turn, null for a turn that is not graded. */
export const turnTargetsKey = 'turn_targets'

const TurnTargets = z.array(z.array(z.string()).nullable())

/** Null where the task has no reference answers of each turn. */
export function turnTargetsOf(metadata: ScoreInput['metadata']): readonly (readonly string[] | null)[] | null {
  return TurnTargets.safeParse(metadata?.[turnTargetsKey]).data ?? null
}

/** Scripted conversations by the answer to every turn. @param prepare makes the scorer of one answer */
export function createEachTurn(prepare: (spec: { readonly scorer: string; readonly options: unknown }) => PreparedScorer): Scorer {
  return defineScorer({
    id: eachTurnId,
    version: 1,
    title: 'Each turn',
    description:
      'For scripted turns with reference answers of their own: grades the answer to each by another scorer. The score is their mean; turns without a reference answer are not graded.',
    options: z.strictObject({
      scorer: z.string().min(1).max(100).default('assay/exact_match'),
      options: z.record(z.string(), z.unknown()).default({}),
    }),
    prepare: ({ scorer, options }) => {
      const score = prepare({ scorer, options })
      return input => {
        const found = turnTargetsOf(input.metadata)
        return found ? gradeTurns(score, input, found) : score(input)
      }
    },
  })
}

function gradeTurns(score: PreparedScorer, { earlier = [], ...last }: ScoreInput, targets: readonly (readonly string[] | null)[]): Score {
  const answers = [...earlier, last.output]
  const turns = targets.flatMap((own, i) => {
    const output = answers[i]
    return own === null || output === undefined ? [] : [{ turn: i + 1, score: score({ ...last, output, targets: own }) }]
  })
  if (turns.length === 0) return unscored('No turn of the task has a reference answer.')
  return combineTurns(turns, answers.length)
}
