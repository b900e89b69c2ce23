import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { preparePipeline } from '../lm-eval/filter-steps.ts'
import { filterOptions } from '../text/measured.ts'
import { rougeF1, rougeTypes } from '../text/rouge.ts'
import { describeTargets, graded, unscored } from '../verdict.ts'

export const rougeScore = defineScorer({
  id: 'rouge_score/rouge',
  version: 1,
  title: 'ROUGE (rouge-score)',
  description:
    'F1 of ROUGE-1, ROUGE-2, ROUGE-L or ROUGE-L of summaries by lines, as Google’s rouge-score computes it; the best over the references.',
  options: z.strictObject({
    type: z.enum(rougeTypes).default('rougeL'),
    /** Compares the Porter stems of words longer than three letters. */
    use_stemmer: z.boolean().default(false),
    ...filterOptions,
  }),
  prepare: ({ type, use_stemmer: isStemmed, filters = [] }) => {
    const filter = preparePipeline(filters)
    return ({ output: given, targets, choices = [] }) => {
      const { text: output } = filter({ text: given, span: null }, choices)
      if (targets.length === 0) return unscored('The task has no reference to compare with.')
      const value = Math.max(...targets.map(target => rougeF1(type, output, target, isStemmed)))
      return graded(value, { answer: output, explanation: `The F1 is ${value.toFixed(4)}; ${describeTargets(targets)}.` })
    }
  },
})
