import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { PreparedScorer } from '../scorer.ts'
import { stripSpan } from '../python/strings.ts'
import { describeTargets, type Extraction, judged, quote, unscored } from '../verdict.ts'
import { exactMatchSchema, prepareNormaliser } from './exact-match.ts'
import { INVALID, regexFilter } from './filters.ts'
import { FLEXIBLE_NUMBER, STRICT_NUMBER, taskPattern } from './known-patterns.ts'

const regexSchema = z.strictObject({
  regex_pattern: z.string().max(1000).default(STRICT_NUMBER),
  /** Which match: 0 the first, -1 the last. */
  group_select: z.int().min(-1000).max(1000).default(0),
  fallback: z.string().default(INVALID),
})

const options = exactMatchSchema.extend({
  /** The task's `regex` filter, applied to the output before comparing; without it the whole output is compared. */
  regex: regexSchema.optional(),
  /** The task's `remove_whitespace` filter, which comes before its `regex`. */
  strip: z.boolean().default(false),
})

type Options = z.output<typeof options>

/** What GSM8K ignores on both sides: thousands separators, dollar signs, everything up to `#### `, a full stop at the end. */
const gsm8k = {
  ignore_case: true,
  ignore_punctuation: false,
  ignore_numbers: false,
  regexes_to_ignore: [',', String.raw`\$`, '(?s).*#### ', String.raw`\.$`],
}

export const lmEvalExactMatch = defineScorer({
  id: 'lm_eval/exact_match',
  version: 1,
  title: 'lm-eval exact match',
  description:
    "lm-evaluation-harness's exact_match with its regex filter: nothing is stripped, and an output the filter cannot read is wrong.",
  options,
  prepare: compare,
})

export const gsm8kStrict = defineScorer({
  id: 'lm_eval/gsm8k_strict',
  version: 1,
  title: 'GSM8K strict match (lm-eval)',
  description: 'GSM8K version 3 of lm-evaluation-harness, strict-match: the number after the first "#### ", compared as text.',
  options: z.strictObject({}),
  prepare: () => compare({ ...gsm8k, regex: { regex_pattern: STRICT_NUMBER, group_select: 0, fallback: INVALID } }),
})

export const gsm8kFlexible = defineScorer({
  id: 'lm_eval/gsm8k_flexible',
  version: 1,
  title: 'GSM8K flexible extract (lm-eval)',
  description: 'GSM8K version 3 of lm-evaluation-harness, flexible-extract: the last run of digits, "$", "." and ",", compared as text.',
  options: z.strictObject({}),
  prepare: () => compare({ ...gsm8k, regex: { regex_pattern: FLEXIBLE_NUMBER, group_select: -1, fallback: INVALID } }),
})

function stripped(output: string): Extraction {
  const span = stripSpan(output)
  return { text: output.slice(span.start, span.end), ...span }
}

function compare(chosen: Omit<Options, 'strip'> & { readonly strip?: boolean }): PreparedScorer {
  const normalise = prepareNormaliser(chosen)
  const { regex, strip: isStripped = false } = chosen
  const pattern = regex && taskPattern(regex.regex_pattern)
  return ({ output, targets }) => {
    if (targets.length === 0) return unscored('The task has no target to compare with.')
    const whole = isStripped ? stripped(output) : { text: output, start: 0, end: output.length }
    const read = regex && pattern ? regexFilter(pattern, regex.group_select, whole.text) : { ...whole, start: 0, end: whole.text.length }
    const found = read && { ...read, start: read.start + whole.start, end: read.end + whole.start }
    const text = found?.text ?? regex?.fallback ?? INVALID
    const answer = normalise(text)
    const isEqual = targets.some(target => normalise(target) === answer)
    const what = found ? `The answer read is ${quote(answer)}` : `The pattern matches nothing, so the answer is ${quote(text)}`
    const span = found && { start: found.start, end: found.end }
    return judged(isEqual, { answer: text, span, explanation: `${what}; ${describeTargets(targets)}.` })
  }
}
