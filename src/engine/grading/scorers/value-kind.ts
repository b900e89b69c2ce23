import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'

/** Scorers whose values lie between right and wrong: shares, similarities and distances. Every other one says right or wrong. */
const graded: ReadonlySet<string> = new Set([
  'assay/f1',
  'assay/rouge_l',
  'assay/bleu',
  'assay/chrf',
  'assay/edit_distance',
  'inspect_ai/f1',
  'simple_evals/drop',
  'autoevals/Levenshtein',
  'autoevals/NumericDiff',
  'autoevals/JSONDiff',
  'autoevals/ListContains',
  'promptfoo/bleu',
  'promptfoo/not-bleu',
  'promptfoo/tool-call-f1',
  'promptfoo/not-tool-call-f1',
  'spreadsheetbench/soft',
  'sacrebleu/bleu',
  'sacrebleu/chrf',
  'sacrebleu/ter',
  'rouge_score/rouge',
  'evaluate/wer',
  'evaluate/cer',
  'helm/bleu_1',
  'helm/bleu_4',
  'helm/f1_score',
  'lmms_eval/anls',
  'vqa/accuracy',
])

/** Scorers that do either, and whether they say right or wrong with these options. */
const eitherWay: Readonly<Record<string, (options: Readonly<Record<string, unknown>>) => boolean>> = {
  'assay/set_match': ({ measure = 'equal' }) => measure === 'equal',
  'assay/recorded_score': ({ binary = false }) => binary === true,
  'lm_eval/drop': ({ metric = 'f1' }) => metric !== 'f1',
  'promptfoo/test': ({ metric = 'pass' }) => metric === 'pass',
  'promptfoo/test_with_scripts': ({ metric = 'pass' }) => metric === 'pass',
}

/** Whether every value of a metric is 0 or 1, by what its scorer is and not by the values that happened to come. */
export function isBinaryScorer({ scorer, options }: Pick<Metric, 'scorer' | 'options'>): boolean {
  return eitherWay[scorer]?.(options) ?? !graded.has(scorer)
}

/** Scorers whose values can leave 0 to 1: error rates, and scripts that return any number. */
const unbounded: ReadonlySet<string> = new Set(['promptfoo/test_with_scripts', 'sacrebleu/ter', 'evaluate/wer', 'evaluate/cer'])

/** Whether every value of a metric is between 0 and 1; nothing is known of the scale of an evaluator. */
export function isUnitScorer({ scorer, evaluator }: Pick<Metric, 'scorer' | 'evaluator'>): boolean {
  return evaluator === undefined && !unbounded.has(scorer)
}
