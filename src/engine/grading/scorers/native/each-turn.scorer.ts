import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { PreparedScorer, Score, ScoreInput, Scorer } from '../scorer.ts'
import { graded, unscored } from '../verdict.ts'

export const eachTurnId = 'assay/each_turn'

/** Key of a task’s metadata: reference answers of each turn, null for a turn that is not graded. */
export const turnTargetsKey = 'turn_targets'

const TurnTargets = z.array(z.array(z.string()).nullable())

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
        const found = TurnTargets.safeParse(input.metadata?.[turnTargetsKey])
        return found.success ? gradeTurns(score, input, found.data) : score(input)
      }
    },
  })
}

function gradeTurns(score: PreparedScorer, { earlier = [], ...last }: ScoreInput, targets: z.output<typeof TurnTargets>): Score {
  const answers = [...earlier, last.output]
  const turns = targets.flatMap((own, i) => {
    const output = answers[i]
    return own === null || output === undefined ? [] : [{ turn: i + 1, score: score({ ...last, output, targets: own }) }]
  })
  if (turns.length === 0) return unscored('No turn of the task has a reference answer.')
  const explanation = turns.map(({ turn, score: one }) => `Turn ${turn}: ${one.explanation}`).join(' ')
  const own = turns.find(({ turn }) => turn === answers.length)?.score
  const place = { answer: own?.answer ?? null, span: own?.answerSpan ?? null }
  const without = turns.find(({ score: { value } }) => value === null)
  if (without) return { ...without.score, answer: place.answer, answerSpan: place.span, explanation }
  const values = Object.fromEntries(turns.map(({ turn, score: { value } }) => [`turn_${turn}`, value]))
  const mean = turns.reduce((sum, { score: { value } }) => sum + (value ?? 0), 0) / turns.length
  return graded(mean, { ...place, explanation, values })
}
