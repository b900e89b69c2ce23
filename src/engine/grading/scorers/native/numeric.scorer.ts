import { z } from 'zod'
import { describeNumber, findNumber, type FoundNumber, isSameNumber, type NumberToken } from '../../extraction/find-number.ts'
import { type ExactNumber, product } from '../../extraction/exact-number.ts'
import { defineScorer } from '../define-scorer.ts'
import type { PreparedScorer, Scorer } from '../scorer.ts'
import { ambiguous, describeTargets, judged, quote, unscored } from '../verdict.ts'
import { exactMatch } from './exact-match.scorer.ts'
import { extractionSchema, prepareExtraction } from './extraction.ts'
import { normalizeUnicode } from './normalize-unicode.ts'

export const numeric = defineScorer({
  id: 'assay/numeric',
  version: 4,
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
    /** `either`: 0.25, 25 and 25 % are the same answer, as FinQA and Program of Thoughts read shares. */
    percent: z.enum(['exact', 'either']).default('exact'),
    no_answer: z.enum(['wrong', 'unscored']).default('wrong'),
    normalize_unicode: normalizeUnicode,
  }),
  prepare({ extraction, absolute, relative, units, percent, no_answer: noAnswer, normalize_unicode: normalize }) {
    const extract = prepareExtraction(extraction)
    const scales = percent === 'either' ? [whole, hundred, hundredth] : [whole]
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
        wanted.some(target => target !== null && scales.some(scale => isSameNumber(found.number, scaledBy(target, scale), tolerance))),
        {
          answer: found.text,
          span: { start: found.start, end: found.end },
          explanation: `The number is ${describeNumber(found.number.value)}; ${describeTargets(targets)}.`,
        },
      )
    }
  },
})

const whole = { top: 1n, bottom: 1n }
const hundred = { top: 100n, bottom: 1n }
const hundredth = { top: 1n, bottom: 100n }

function scaledBy(target: NumberToken, scale: ExactNumber): NumberToken {
  return scale === whole ? target : { ...target, value: product(target.value, scale), scaled: null }
}

/** Answers that are numbers for some tasks and texts for others, as in TabMWP: each is compared as what its target is. */
export const numberOrText = defineScorer({
  id: 'assay/number_or_text',
  version: 3,
  title: 'Number or text',
  description:
    'Where the target is a number, the number that the output gives equals it within a tolerance; where it is a text, the answer is that text without regard to case.',
  options: z.strictObject({
    absolute: z.number().min(0).default(0),
    relative: z.number().min(0).default(0),
    percent: z.enum(['exact', 'either']).default('exact'),
    extraction: extractionSchema.prefault('whole'),
  }),
  prepare({ extraction, ...number }) {
    const asNumber = prepareScored(numeric, { ...number, extraction: extraction === 'whole' ? 'final_answer' : extraction })
    const asText = prepareScored(exactMatch, { extraction, ignore_case: true })
    return input => (input.targets.length > 0 && input.targets.every(target => numberOf(target) !== null) ? asNumber(input) : asText(input))
  },
})

function prepareScored<Options>(scorer: Scorer<Options>, options: unknown): PreparedScorer {
  const parsed = scorer.options.parse(options)
  return scorer.prepare?.(parsed) ?? (input => scorer.score(input, parsed))
}

function numberOf(target: string): NumberToken | null {
  const found = findNumber(target, 'whole')
  return found.kind === 'found' ? found.number : null
}
