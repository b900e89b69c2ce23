import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { dropSpanScores } from '../simple-evals/drop.ts'
import { describeTargets, graded, unscored } from '../verdict.ts'

const options = z.strictObject({
  /** Which of the two is the score; both are in `values`. */
  metric: z.enum(['em', 'f1']).default('f1'),
})

/** The references by their parts, where a task has answers of several parts. */
const metadataSchema = z.object({ answers: z.array(z.array(z.string())).min(1) })

export const lmEvalDrop = defineScorer({
  id: 'lm_eval/drop',
  version: 1,
  title: 'DROP (lm-eval)',
  description:
    "lm-evaluation-harness's exact match and F1 of DROP: the output is one span, references may have several; without case, punctuation and articles, numbers by value, the best over the references.",
  options,
  prepare({ metric }) {
    return ({ output, targets, metadata }) => {
      const parsed = metadataSchema.safeParse(metadata)
      const scores = dropSpanScores(output, parsed.success ? parsed.data.answers : targets.map(target => [target]))
      if (!scores) return unscored('Every reference of the task is blank.')
      const explanation = `F1 is ${scores.f1.toFixed(2)}, exact match ${scores.em}; ${describeTargets(targets)}.`
      return graded(scores[metric], { answer: output, values: { em: scores.em, f1: scores.f1 }, explanation })
    }
  },
})
