import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { describeTargets, judged, unscored } from '../verdict.ts'

export const yesOrNo = defineScorer({
  id: 'pope/yes_no',
  version: 1,
  title: 'Yes or no (POPE)',
  description: 'The first sentence says no if it contains the word No, not or no, and yes otherwise; by the rules of POPE’s evaluation.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const words = (output.split('.')[0] ?? '').replaceAll(',', '').split(' ')
      const answer = words.some(word => word === 'No' || word === 'not' || word === 'no') ? 'no' : 'yes'
      return judged(
        targets.some(target => target.toLowerCase() === answer),
        { answer, label: answer, explanation: `The first sentence says ${answer}; ${describeTargets(targets)}.` },
      )
    }
  },
})
