import { z } from 'zod'
import { normalizeText } from '../../extraction/readable.ts'
import { defineScorer } from '../define-scorer.ts'
import { casefold, removeAsciiPunctuation, strip } from '../python/strings.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { extractionSchema, prepareExtraction } from './extraction.ts'
import { normalizeUnicode } from './normalize-unicode.ts'

const options = z.strictObject({
  extraction: extractionSchema,
  /** Literal texts taken out of both sides, e.g. `,`. */
  remove: z.array(z.string().min(1).max(200)).max(50).default([]),
  ignore_case: z.boolean().default(false),
  /** ASCII punctuation; beware that `3.5` becomes `35`. */
  ignore_punctuation: z.boolean().default(false),
  /** Quotes and emphasis around the text, punctuation at its end and "the" before it; a text of nothing else stays. */
  ignore_ends: z.boolean().default(false),
  /** White space at both ends, last of all. */
  strip: z.boolean().default(true),
  normalize_unicode: normalizeUnicode,
  /** What an output without an extractable answer is. */
  no_answer: z.enum(['wrong', 'unscored']).default('wrong'),
})

type Options = z.output<typeof options>

export const exactMatch = defineScorer({
  id: 'assay/exact_match',
  version: 4,
  title: 'Exact match',
  description:
    'Takes the answer out of the output, normalizes it and the targets the same way and compares the texts character by character.',
  options,
  prepare(chosen) {
    const extract = prepareExtraction(chosen.extraction)
    const normalize = normalizer(chosen)
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const found = extract(output)
      if (!found) {
        const explanation = `No answer could be extracted; ${describeTargets(targets)}.`
        return chosen.no_answer === 'unscored' ? unscored(explanation) : judged(false, { answer: null, explanation })
      }
      const answer = normalize(found.text)
      // What states no answer may be one as it is, such as "No, thanks".
      const whole = chosen.extraction === 'stated_or_whole' ? [normalize(output)] : []
      const readings = [answer, ...whole, ...(found.also === undefined ? [] : [normalize(found.also)])]
      const isEqual = targets.some(target => readings.includes(normalize(target)))
      const explanation = `The answer is ${quote(answer)}; ${describeTargets(targets)}.`
      return judged(isEqual, { answer: found.text, span: { start: found.start, end: found.end }, explanation })
    }
  },
})

function normalizer(chosen: Options): (text: string) => string {
  return text => {
    let normal = chosen.normalize_unicode ? normalizeText(text) : text
    for (const literal of chosen.remove) normal = normal.replaceAll(literal, '')
    if (chosen.ignore_case) normal = casefold(normal)
    if (chosen.ignore_punctuation) normal = removeAsciiPunctuation(normal)
    if (chosen.ignore_ends) normal = withoutEnds(normal)
    return chosen.strip ? strip(normal) : normal
  }
}

const startMarks = new Set('"\'“”‘’«»*_`')
const endMarks = new Set([...startMarks, ...'.,;:!?…。！？'])

function withoutEnds(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && (startMarks.has(text.charAt(from)) || text.charAt(from).trim() === '')) from++
  while (to > from && (endMarks.has(text.charAt(to - 1)) || text.charAt(to - 1).trim() === '')) to--
  const bare = text.slice(from, to).replace(/^the\s+(?=\S)/i, '')
  return bare === '' ? text : bare
}
