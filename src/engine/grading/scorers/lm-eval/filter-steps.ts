import { z } from 'zod'
import { stripSpan } from '../python/strings.ts'
import type { Extraction } from '../verdict.ts'
import { INVALID } from '../../../../lib/no-answer.ts'
import { formatSpan, mapFilter, regexFilter } from './filters.ts'
import { STRICT_NUMBER, taskPattern } from './known-patterns.ts'
import { multiChoiceRegex } from './multi-choice-regex.ts'

const regex = {
  regex_pattern: z.string().max(1000).default(STRICT_NUMBER),
  /** Which match: 0 the first, -1 the last. */
  group_select: z.int().min(-1000).max(1000).default(0),
  /** Where nothing matches. */
  fallback: z.string().default(INVALID),
}

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** One filter of a task's pipeline, under lm-eval's names. */
export const filterStepSchema = z.discriminatedUnion('function', [
  z.strictObject({ function: z.literal('take_first') }),
  z.strictObject({ function: z.literal('remove_whitespace') }),
  z.strictObject({ function: z.literal('lowercase') }),
  z.strictObject({ function: z.literal('uppercase') }),
  z.strictObject({ function: z.literal('format_span') }),
  z.strictObject({ function: z.literal('regex'), ...regex }),
  z.strictObject({
    function: z.literal('multi_choice_regex'),
    ...regex,
    ignore_case: z.boolean().default(false),
    ignore_punctuation: z.boolean().default(false),
    regexes_to_ignore: z.array(z.string().max(1000)).max(50).nullish(),
  }),
  z.strictObject({
    function: z.literal('map'),
    mapping_dict: z.record(z.string(), Scalar).default({}),
    default_value: Scalar.default(null),
  }),
])
export type FilterStepOptions = z.output<typeof filterStepSchema>

/** An answer on its way through the filters. `span` is null once it is no longer a literal part of the output. */
export interface Filtered {
  readonly text: string
  readonly span: { readonly start: number; readonly end: number } | null
}

type Step = (answer: Filtered, choices: readonly string[]) => Filtered

/** The filters one after the other. @throws ScorerConfigError for a pattern that cannot be used */
export function preparePipeline(steps: readonly FilterStepOptions[]): Step {
  const prepared = steps.map(prepareStep)
  return (answer, choices) => prepared.reduce((current, step) => step(current, choices), answer)
}

function prepareStep(step: FilterStepOptions): Step {
  switch (step.function) {
    // There is one answer for each sample.
    case 'take_first':
      return answer => answer
    case 'remove_whitespace':
      return ({ text, span }) => part(span, { text, ...stripSpan(text) })
    case 'lowercase':
      return ({ text }) => changed(text.toLowerCase())
    case 'uppercase':
      return ({ text }) => changed(text.toUpperCase())
    case 'format_span':
      return ({ text }) => changed(formatSpan(text))
    case 'map':
      return ({ text }) => changed(shown(mapFilter(step.mapping_dict, step.default_value, text)))
    case 'regex': {
      const pattern = taskPattern(step.regex_pattern)
      return ({ text, span }) => {
        const found = regexFilter(pattern, step.group_select, text)
        return found ? part(span, { ...found, text }) : changed(step.fallback)
      }
    }
    case 'multi_choice_regex': {
      const pattern = taskPattern(step.regex_pattern)
      const rules = {
        select: step.group_select,
        ignoreCase: step.ignore_case,
        ignorePunctuation: step.ignore_punctuation,
        ignored: (step.regexes_to_ignore ?? []).map(taskPattern),
        fallback: step.fallback,
      }
      return ({ text }, choices) => changed(multiChoiceRegex(pattern, rules, choices, text))
    }
  }
}

function changed(text: string): Filtered {
  return { text, span: null }
}

/** Part of a text that itself begins at `from` of the output. */
function part(from: Filtered['span'], { text, start, end }: Extraction): Filtered {
  return { text: text.slice(start, end), span: from && { start: from.start + start, end: from.start + end } }
}

/** As Python's `str` shows it. */
function shown(value: z.output<typeof Scalar>): string {
  if (value === null) return 'None'
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value)
}
