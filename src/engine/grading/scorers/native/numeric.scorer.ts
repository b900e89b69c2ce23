import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { parseFloatText } from '../python/numbers.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { extractionSchema, prepareExtraction } from './extraction.ts'

export const numeric = defineScorer({
  id: 'assay/numeric',
  version: 1,
  title: 'Number with tolerance',
  description: 'The number in the output equals a target within an absolute or a relative tolerance, whichever allows more.',
  options: z.strictObject({
    extraction: extractionSchema.prefault('last_number'),
    /** In the unit of the numbers. */
    absolute: z.number().min(0).default(0),
    /** As a share of the target, e.g. 0.01 for one percent. */
    relative: z.number().min(0).default(0),
    no_answer: z.enum(['wrong', 'unscored']).default('wrong'),
  }),
  prepare({ extraction, absolute, relative, no_answer: noAnswer }) {
    const extract = prepareExtraction(extraction)
    return ({ output, targets }) => {
      const wanted = targets.map(numberIn)
      if (wanted.length === 0 || wanted.includes(null)) return unscored(`The target is not a number; ${describeTargets(targets)}.`)
      const found = extract(output)
      const value = found && numberIn(found.text)
      if (!found || value === null) {
        const explanation = found ? `${quote(found.text)} is not a number.` : 'The output holds no number.'
        return noAnswer === 'unscored'
          ? unscored(explanation, found?.text ?? null)
          : judged(false, { answer: found?.text ?? null, explanation })
      }
      const isClose = wanted.some(target => target !== null && Math.abs(value - target) <= Math.max(absolute, relative * Math.abs(target)))
      return judged(isClose, {
        answer: found.text,
        span: { start: found.start, end: found.end },
        explanation: `The number is ${value}; ${describeTargets(targets)}.`,
      })
    }
  },
})

/** A finite number, thousands separators and a currency sign or percent sign aside. */
function numberIn(text: string): number | null {
  const value = parseFloatText(
    text
      .trim()
      .replace(/^([+-]?)[$€£]/, '$1')
      .replace(/%$/, '')
      .replace(/(?<=\d),(?=\d{3}(?!\d))/g, ''),
  )
  return value !== null && Number.isFinite(value) ? value : null
}
