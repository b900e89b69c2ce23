import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { describeTargets, graded, unscored } from '../verdict.ts'
import { brierScore } from './aggregations.ts'
import { measuredChoices } from './measured-choices.ts'

/** The worst: all probability on one wrong choice. */
export const worstBrierScore = 2

export const lmEvalBrierScore = defineScorer({
  id: 'lm_eval/brier_score',
  version: 2,
  title: 'lm-eval Brier score',
  description:
    'How far the probabilities of the choices, which add up to 1, are from certainty of the right one: 1 − Brier score ÷ 2, so that more is better.',
  options: z.strictObject({}),
  prepare: () => input => {
    const measured = measuredChoices(input)
    if (typeof measured === 'string') return unscored(measured)
    const { conditional, golds } = measured
    const largest = Math.max(...conditional)
    const weights = conditional.map(value => Math.exp(value - largest))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const [gold = -1] = golds
    const probabilities = weights.map(weight => weight / total)
    const error = brierScore([[gold, probabilities]])
    const explanation = `The right choice has a probability of ${(probabilities[gold] ?? 0).toFixed(4)} among the choices; ${describeTargets(input.targets)}.`
    return graded(1 - error / worstBrierScore, { answer: null, explanation, values: { brier_score: error } })
  },
})
