import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { judged, unscored } from '../verdict.ts'
import { measuredTextIn } from './measured-text.ts'

export const lmEvalLoglikelihood = defineScorer({
  id: 'lm_eval/loglikelihood',
  version: 1,
  title: 'lm-eval greedy accuracy',
  description:
    'Whether the reference answer is what the model would have said by itself, token by token; its log-likelihood stands in the explanation.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output }) => {
      const measured = measuredTextIn(output)
      if (!measured) return unscored('The sample has no log-likelihood of its reference answer.')
      const { likelihood, isGreedy } = measured
      const explanation = `The log-likelihood of the reference answer is ${likelihood.toFixed(4)}`
      if (isGreedy === null) return unscored(`${explanation}; the endpoint does not say which token is the likeliest.`)
      return judged(isGreedy, {
        answer: null,
        explanation: `${explanation}; it is ${isGreedy ? '' : 'not '}what the model would have said.`,
      })
    }
  },
})
