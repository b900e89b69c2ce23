import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { lastBoxed } from '../patterns/boxed.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { isEquiv } from './is-equiv.ts'

export const hendrycksIsEquiv = defineScorer({
  id: 'hendrycks_math/is_equiv',
  version: 1,
  title: 'MATH equivalence (Hendrycks)',
  description:
    "The content of the output's last box (the whole output without one) against the target under the string rules of the MATH data set.",
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const { text, start, end } = lastBoxed(output) ?? { text: output, start: 0, end: output.length }
      const isEqual = targets.some(target => isEquiv(text, target))
      return judged(isEqual, {
        answer: text,
        span: { start, end },
        explanation: `The answer is ${quote(text)}; ${describeTargets(targets)}.`,
      })
    }
  },
})
