import { z } from 'zod'
import { describeNumber, findNumber, type FoundNumber, isSameNumber, type NumberToken } from '../../extraction/find-number.ts'
import { defineScorer } from '../define-scorer.ts'
import { ambiguous, describeTargets, judged, quote, unscored } from '../verdict.ts'
import { extractionSchema, prepareExtraction } from './extraction.ts'
import { normalizeUnicode } from './normalize-unicode.ts'

export const numeric = defineScorer({
  id: 'assay/numeric',
  version: 2,
  title: 'Number with tolerance',
  description:
    'The number that the output gives as its answer equals a target within an absolute or a relative tolerance, whichever allows more. Reads signs, exponents, fractions, percent, currencies, groups of digits and LaTeX, exactly; "5 or 7" is unscored as ambiguous.',
  options: z.strictObject({
    extraction: extractionSchema.prefault('final_answer'),
    /** In the unit of the numbers. */
    absolute: z.number().min(0).default(0),
    /** As a share of the target, e.g. 0.01 for one percent. */
    relative: z.number().min(0).default(0),
    /** `same`: where the target states a unit, the answer must state it too. */
    units: z.enum(['ignore', 'same']).default('ignore'),
    no_answer: z.enum(['wrong', 'unscored']).default('wrong'),
    normalize_unicode: normalizeUnicode,
  }),
  prepare({ extraction, absolute, relative, units, no_answer: noAnswer, normalize_unicode: normalize }) {
    const extract = prepareExtraction(extraction)
    const tolerance = { absolute, relative, compareUnits: units === 'same' }
    const find = (output: string): FoundNumber & { text: string | null } => {
      if (extraction === 'final_answer' || extraction === 'last_number') {
        const found = findNumber(output, extraction, normalize)
        return { ...found, text: found.kind === 'none' ? null : output.slice(found.start, found.end) }
      }
      const part = extract(output)
      if (!part) return { kind: 'none', text: null }
      const found = findNumber(part.text, 'whole', normalize)
      return found.kind === 'none' ? { ...found, text: part.text } : { ...found, text: part.text, start: part.start, end: part.end }
    }
    return ({ output, targets }) => {
      const wanted = targets.map(target => numberOf(target))
      if (wanted.length === 0 || wanted.includes(null)) return unscored(`The target is not a number; ${describeTargets(targets)}.`)
      const found = find(output)
      if (found.kind === 'ambiguous')
        return ambiguous(`${quote(found.text ?? '')} is more than one number; ${describeTargets(targets)}.`, found.text)
      if (found.kind === 'none') {
        const explanation = found.text === null ? 'The output holds no number.' : `${quote(found.text)} is not a number.`
        return noAnswer === 'unscored' ? unscored(explanation, found.text) : judged(false, { answer: found.text, explanation })
      }
      return judged(
        wanted.some(target => target !== null && isSameNumber(found.number, target, tolerance)),
        {
          answer: found.text,
          span: { start: found.start, end: found.end },
          explanation: `The number is ${describeNumber(found.number.value)}; ${describeTargets(targets)}.`,
        },
      )
    }
  },
})

function numberOf(target: string): NumberToken | null {
  const found = findNumber(target, 'whole')
  return found.kind === 'found' ? found.number : null
}
