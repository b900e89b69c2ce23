import { z } from 'zod'
import { pooledStandardError } from '../../../engine/grading/scorers/lm-eval/pooled-error.ts'
import { meanAndStandardError } from '../../../engine/statistics/means.ts'
import { formatSpan, INVALID, majorityVote, mapFilter, regexFilter } from '../../../engine/grading/scorers/lm-eval/filters.ts'
import { STRICT_NUMBER, taskPattern } from '../../../engine/grading/scorers/lm-eval/known-patterns.ts'
import { multiChoiceRegex } from '../../../engine/grading/scorers/lm-eval/multi-choice-regex.ts'
import { choiceAccuracies } from '../../../engine/grading/scorers/lm-eval/multiple-choice.ts'
import { strip } from '../../../engine/grading/scorers/python/strings.ts'
import { numberList, option, scoreRow } from './read-row.ts'
import type { RunVector, VectorFamily, VectorRow } from './vector-row.ts'

const optionalNumber = z.number().default(0)
const optionalFlag = z.boolean().default(false)
const likelihoods = z.object({ cond: z.array(z.number()), uncond: z.array(z.number()).optional() })

/** A filter that maps each response of each document. */
function eachResponse(filter: (response: string, row: VectorRow, document: number) => unknown): RunVector {
  return row => responses(row).map((set, document) => set.map(response => filter(response, row, document)))
}

function responses(row: VectorRow): readonly (readonly string[])[] {
  return z.array(z.array(z.string()), 'the output must be lists of responses').parse(row.output)
}

function regex(response: string, row: VectorRow): string {
  const pattern = taskPattern(option(row, 'regex_pattern', z.string().default(STRICT_NUMBER)))
  return regexFilter(pattern, option(row, 'group_select', optionalNumber), response)?.text ?? INVALID
}

function multiChoice(response: string, row: VectorRow, document: number): string {
  const documents = option(row, 'docs', z.array(z.object({ choices: z.array(z.string()) })))
  const rules = {
    select: option(row, 'group_select', optionalNumber),
    ignoreCase: option(row, 'ignore_case', optionalFlag),
    ignorePunctuation: option(row, 'ignore_punctuation', optionalFlag),
    ignored: [],
    fallback: INVALID,
  }
  return multiChoiceRegex(taskPattern(option(row, 'regex_pattern', z.string())), rules, documents[document]?.choices ?? [], response)
}

function gsm8k(scorer: string): RunVector {
  return row => {
    const { answer, value } = scoreRow(row, scorer, {})
    return { extracted: answer, exact_match: value }
  }
}

export const lmEvalVectors: VectorFamily = {
  runs: {
    'lm_eval/filter.regex': eachResponse(regex),
    'lm_eval/filter.multi_choice_regex': eachResponse(multiChoice),
    'lm_eval/filter.format_span': eachResponse(formatSpan),
    'lm_eval/filter.lowercase': eachResponse(response => response.toLowerCase()),
    'lm_eval/filter.uppercase': eachResponse(response => response.toUpperCase()),
    'lm_eval/filter.remove_whitespace': eachResponse(response => strip(response)),
    'lm_eval/filter.map': eachResponse((response, row) =>
      mapFilter(option(row, 'mapping_dict', z.record(z.string(), z.unknown())), row.options['default_value'], response),
    ),
    'lm_eval/filter.majority_vote': row => responses(row).map(set => [majorityVote(set)]),
    'lm_eval/filter.take_first_k': row => responses(row).map(set => set.slice(0, option(row, 'k', z.number()))),
    'lm_eval/exact_match': row => scoreRow(row).value,
    'lm_eval/gsm8k.strict-match': gsm8k('lm_eval/gsm8k_strict'),
    'lm_eval/gsm8k.flexible-extract': gsm8k('lm_eval/gsm8k_flexible'),
    'lm_eval/multiple_choice': row => {
      const { cond: conditional, uncond: unconditional } = likelihoods.parse(row.output)
      const choices = option(row, 'choices', z.array(z.string()))
      return choiceAccuracies({ choices, conditional, ...(unconditional && { unconditional }) }, [z.number().parse(row.target)])
    },
    'lm_eval/mean_stderr': row => meanAndStandardError(numberList(row.output)).standardError,
    'lm_eval/pooled_sample_stderr': row => pooledStandardError(numberList(row.output), numberList(row.options['sizes'])),
  },
}
