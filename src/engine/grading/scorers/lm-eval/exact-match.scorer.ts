import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { PreparedScorer } from '../scorer.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { exactMatchSchema, prepareNormalizer } from './exact-match.ts'
import { filterStepSchema, preparePipeline } from './filter-steps.ts'
import { INVALID } from '../../../../lib/no-answer.ts'
import { FLEXIBLE_NUMBER, STRICT_NUMBER } from './known-patterns.ts'

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
  /** The task's whole pipeline in order, instead of `strip` and `regex`. */
  filters: z.array(filterStepSchema).max(20).optional(),
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
  version: 3,
  title: 'lm-eval exact match',
  description:
    "lm-evaluation-harness's exact_match behind its filters: nothing is stripped unless a filter does, and an output that the filters cannot read becomes their fallback.",
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

/** The choices of a task whose filter looks for them, where it asks for an answer in text. */
const Metadata = z.object({ choices: z.array(z.string()) })

function pipelineOf({ filters, regex, strip = false }: Pick<Options, 'filters' | 'regex'> & { readonly strip?: boolean }) {
  if (filters) return filters
  return [...(strip ? [{ function: 'remove_whitespace' } as const] : []), ...(regex ? [{ function: 'regex', ...regex } as const] : [])]
}

function compare(chosen: Omit<Options, 'strip'> & { readonly strip?: boolean }): PreparedScorer {
  const normalize = prepareNormalizer(chosen)
  const filter = preparePipeline(pipelineOf(chosen))
  return ({ output, targets, choices, metadata }) => {
    if (targets.length === 0) return unscored('The task has no target to compare with.')
    const { text, span } = filter({ text: output, span: { start: 0, end: output.length } }, choices ?? listed(metadata))
    const answer = normalize(text)
    const isEqual = targets.some(target => normalize(target) === answer)
    const what = span ? `Extracted answer: ${quote(answer)}` : `The filters make ${quote(text)} of the output`
    return judged(isEqual, { answer: text, span, explanation: `${what}; ${describeTargets(targets)}.` })
  }
}

function listed(metadata: unknown): readonly string[] {
  return Metadata.safeParse(metadata).data?.choices ?? []
}
