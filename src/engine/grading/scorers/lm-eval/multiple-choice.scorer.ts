import { z } from 'zod'
import { confusionKey } from '../aggregate-counts.ts'
import { defineScorer } from '../define-scorer.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { measuredChoices } from './measured-choices.ts'
import { bestPosition, choiceAccuracies } from './multiple-choice.ts'

const options = z.strictObject({
  /** Which accuracy is the score; all that can be computed are in `values`. */
  metric: z.enum(['acc', 'acc_norm', 'acc_bytes', 'acc_mutual_info']).default('acc'),
})

export const lmEvalMultipleChoice = defineScorer({
  id: 'lm_eval/multiple_choice',
  version: 4,
  title: 'lm-eval multiple choice',
  description:
    'The choice with the highest log-likelihood against the right one: as it is, per character, per byte, or less its likelihood without the context.',
  options,
  prepare({ metric }) {
    return input => {
      const measured = measuredChoices(input)
      if (typeof measured === 'string') return unscored(measured)
      const { choices, conditional, golds } = measured
      const values = choiceAccuracies(measured, golds)
      const value = values[metric]
      if (value === undefined)
        return unscored('acc_mutual_info needs the log-likelihoods of the choices without the context, which this model does not give.')
      const named = bestPosition(conditional)
      const chosen = choices[named] ?? ''
      const explanation = `The most likely choice is ${quote(chosen)}; ${describeTargets(input.targets)}.`
      return { ...judged(value === 1, { answer: chosen, values, explanation }), counts: { [confusionKey(golds[0] ?? -1, named)]: 1 } }
    }
  },
})
