import { z } from 'zod'
import * as aggregations from '../../../engine/grading/scorers/lm-eval/aggregations.ts'
import { pooledStandardError } from '../../../engine/grading/scorers/lm-eval/pooled-error.ts'
import { meanAndStandardError } from '../../../engine/statistics/means.ts'
import { INVALID } from '../../../lib/no-answer.ts'
import { formatSpan, majorityVote, mapFilter, regexFilter } from '../../../engine/grading/scorers/lm-eval/filters.ts'
import { STRICT_NUMBER, taskPattern } from '../../../engine/grading/scorers/lm-eval/known-patterns.ts'
import { multiChoiceRegex } from '../../../engine/grading/scorers/lm-eval/multi-choice-regex.ts'
import { choiceAccuracies } from '../../../engine/grading/scorers/lm-eval/multiple-choice.ts'
import { strip } from '../../../engine/grading/scorers/python/strings.ts'
import { variance } from '../../../engine/statistics/sample.ts'
import { list, numberList, option, scoreRow } from './read-row.ts'
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

/** JSON has no NaN; the file writes it as text. */
const looseNumber = z.union([z.number(), z.boolean().transform(Number), z.literal('NaN').transform(() => Number.NaN)])
const numbers = (value: unknown) => z.array(looseNumber, 'the output must be a list of numbers').parse(value)
const pairs = (value: unknown) => z.array(z.tuple([looseNumber, looseNumber]), 'the output must be a list of pairs of numbers').parse(value)
const Translations = z.array(
  z.tuple([z.union([z.string(), z.array(z.string())]), z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)])]),
)
const Chances = z.array(z.tuple([z.int(), z.array(z.number())]))
/** Of a question that one paragraph asks, answers that are each judged by themselves. */
const Answers = z.array(
  z.tuple([looseNumber, z.object({ idx: z.object({ paragraph: z.number().optional(), question: z.number() }), label: z.number() })]),
)

const allRight = (value: unknown, byParagraph: boolean) =>
  aggregations.allRight(
    Answers.parse(value).map(([named, { idx, label }]) => ({
      question: JSON.stringify(byParagraph ? [idx.paragraph, idx.question] : idx.question),
      isRight: (label === 1 ? 1 : 0) === named,
    })),
  )

const aggregationOf: Readonly<Record<string, (output: unknown) => unknown>> = {
  bypass: () => 999,
  mean: output => aggregations.mean(numbers(output)),
  nanmean: output => aggregations.nanmean(numbers(output)),
  median: output => aggregations.median(numbers(output)),
  perplexity: output => aggregations.perplexity(numbers(output)),
  weighted_mean: output => aggregations.weightedMean(pairs(output)),
  weighted_perplexity: output => aggregations.weightedPerplexity(pairs(output)),
  bits_per_byte: output => aggregations.bitsPerByte(pairs(output)),
  f1: output => aggregations.f1(pairs(output)),
  f1_score: output => aggregations.f1(pairs(output)),
  mcc: output => aggregations.matthewsCorrelation(pairs(output)),
  matthews_corrcoef: output => aggregations.matthewsCorrelation(pairs(output)),
  bleu: output => aggregations.bleu(Translations.parse(output)),
  chrf: output => aggregations.chrf(Translations.parse(output)),
  ter: output => aggregations.ter(Translations.parse(output)),
  brier_score: output => aggregations.brierScore(Chances.parse(output)),
  acc_all: output => aggregations.mean(allRight(output, true)),
  acc_all_stderr: output => meanAndStandardError(allRight(output, false)).standardError,
  sample_stddev: output => Math.sqrt(variance(numbers(output))),
  pop_stddev: output => Math.sqrt(aggregations.mean(numbers(output).map((value, _, all) => (value - aggregations.mean(all)) ** 2))),
}

export const lmEvalVectors: VectorFamily = {
  runs: {
    ...Object.fromEntries(
      Object.entries(aggregationOf).flatMap(([name, aggregate]) =>
        ['', 'aggregation.', 'metric.'].map(prefix => [`lm_eval/${prefix}${name}`, (row: VectorRow) => aggregate(row.output)]),
      ),
    ),
    'lm_eval/aggregate_subtask_metrics': row =>
      aggregations.groupMean(
        numberList(row.output),
        numberList(row.options['sizes']),
        option(row, 'weight_by_size', z.boolean().default(true)),
      ),
    'lm_eval/combined_sample_stderr': row =>
      aggregations.combinedStandardError(numberList(row.output), numberList(row.options['sizes']), numberList(row.options['metrics'])),
    'lm_eval/filter.take_first': row =>
      list(row.output).map(set => z.array(z.unknown()).min(1, 'a document has no response').parse(set)[0]),
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
    'lm_eval/filter.take_first_k': row => {
      const k = option(row, 'k', z.number())
      const sets = responses(row)
      // As lm-eval, which looks at the first document alone.
      if ((sets[0]?.length ?? 0) < k) throw new Error(`the first document has fewer than ${k} responses`)
      return sets.map(set => set.slice(0, k))
    },
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
