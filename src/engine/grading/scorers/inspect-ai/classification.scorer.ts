import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { describeTargets, graded, unscored } from '../verdict.ts'
import { maxExactScore, maxF1Score } from './classification.ts'
import { gradedAs } from './grade.ts'

export const inspectExact = defineScorer({
  id: 'inspect_ai/exact',
  version: 1,
  title: 'Inspect exact',
  description:
    'The words of the output equal those of a target after removing case, punctuation and articles; numbers are compared by value.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const isEqual = maxExactScore(output, targets) === 1
      return gradedAs(
        isEqual ? 'C' : 'I',
        output,
        `The normalized words are ${isEqual ? '' : 'not '}those of a target; ${describeTargets(targets)}.`,
      )
    }
  },
})

export const inspectF1 = defineScorer({
  id: 'inspect_ai/f1',
  version: 1,
  title: 'Inspect F1',
  description: 'F1 on the sets of normalized words of output and target, the best over the targets, to two decimals.',
  options: z.strictObject({ stop_words: z.array(z.string()).max(1000).default([]) }),
  prepare({ stop_words: stopWords }) {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const value = maxF1Score(output, targets, stopWords)
      return graded(value, { answer: output, explanation: `F1 of the words is ${value}; ${describeTargets(targets)}.` })
    }
  },
})
