import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { judged, unscored } from '../verdict.ts'

/** What the model client measured of the one continuation. */
const Measured = z.object({ loglikelihoods: z.array(z.number()).length(1), greedy: z.array(z.boolean().nullable()).length(1) })

export const lmEvalLoglikelihood = defineScorer({
  id: 'lm_eval/loglikelihood',
  version: 1,
  title: 'lm-eval greedy accuracy',
  description:
    'Whether the reference answer is what the model would have said by itself, token by token; its log-likelihood stands in the explanation.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output }) => {
      const [likelihood, greedy] = measuredIn(output) ?? []
      if (likelihood === undefined) return unscored('The sample has no log-likelihood of its reference answer.')
      const explanation = `The log-likelihood of the reference answer is ${likelihood.toFixed(4)}`
      if (greedy === null || greedy === undefined)
        return unscored(`${explanation}; the endpoint does not say which token is the likeliest.`)
      return judged(greedy, { answer: null, explanation: `${explanation}; it is ${greedy ? '' : 'not '}what the model would have said.` })
    }
  },
})

function measuredIn(output: string): readonly [number | undefined, boolean | null | undefined] | null {
  try {
    const { loglikelihoods, greedy } = Measured.parse(JSON.parse(output))
    return [loglikelihoods[0], greedy[0]]
  } catch {
    return null
  }
}
