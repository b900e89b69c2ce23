import { z } from 'zod'
import { findDate } from '../../extraction/find-date.ts'
import { defineScorer } from '../define-scorer.ts'
import { ambiguous, describeTargets, judged, unscored } from '../verdict.ts'

export const date = defineScorer({
  id: 'assay/date',
  version: 3,
  title: 'Date',
  description:
    'The date that the output gives as its answer is the target’s, however either is written. A date in digits that could be two days is unscored as ambiguous unless the order is given.',
  options: z.strictObject({
    /** How dates in digits alone are read: `05/06/2024` is the fifth of June with `day_first`. */
    order: z.enum(['day_first', 'month_first', 'unknown']).default('unknown'),
    no_answer: z.enum(['wrong', 'unscored']).default('wrong'),
  }),
  prepare({ order, no_answer: noAnswer }) {
    return ({ output, targets }) => {
      const wanted = targets.map(target => findDate(target, order))
      const days = wanted.flatMap(found => (found.kind === 'found' ? [found.iso] : []))
      if (days.length === 0 || days.length < targets.length) return unscored(`The target is not one date; ${describeTargets(targets)}.`)
      const found = findDate(output, order)
      if (found.kind === 'none') {
        const explanation = 'The output holds no date.'
        return noAnswer === 'unscored' ? unscored(explanation) : judged(false, { answer: null, explanation })
      }
      const answer = output.slice(found.start, found.end)
      if (found.kind === 'ambiguous') return ambiguous(`${answer} could be two days; ${describeTargets(targets)}.`, answer)
      // A target that is a month or a year asks for no more.
      return judged(
        days.some(day => found.iso === day || found.iso.startsWith(`${day}-`)),
        { answer, span: { start: found.start, end: found.end }, explanation: `The date is ${found.iso}; ${describeTargets(targets)}.` },
      )
    }
  },
})
