import { z } from 'zod'
import { defineScorer } from '../../define-scorer.ts'
import { describeTargets, quote, unscored } from '../../verdict.ts'
import { gradedAs } from '../grade.ts'
import { gradeMath } from './grade-math.ts'

export const inspectMath = defineScorer({
  id: 'inspect_ai/math',
  version: 4,
  title: 'Inspect math',
  description:
    'Reads the final answer as mathematics (LaTeX or plain) and compares it with the targets by value; sets in any order, `x = 2` as 2, percentages as numbers.',
  options: z.strictObject({}),
  prepare: () => {
    return ({ output, targets }) => {
      const { status, answer, reason } = gradeMath(output, targets)
      if (status === 'target_parse_error') return unscored(`The target cannot be read as mathematics: ${reason}.`)
      if (answer === null) return gradedAs('I', null, `The output holds no answer that can be read: ${reason}.`)
      const verdict = status === 'correct' ? 'equals the target' : 'does not equal the target'
      const start = output.lastIndexOf(answer)
      const span = start < 0 ? null : { start, end: start + answer.length }
      return gradedAs(
        status === 'correct' ? 'C' : 'I',
        answer,
        `The answer ${quote(answer)} ${verdict}; ${describeTargets(targets)}.`,
        span,
      )
    }
  },
})
