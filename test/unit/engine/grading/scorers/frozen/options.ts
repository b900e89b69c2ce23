const promptfoo = (type: string, value: unknown) => [
  [`promptfoo/${type}`, [value === undefined ? {} : { value }]] as const,
  [`promptfoo/not-${type}`, [value === undefined ? {} : { value }]] as const,
]

/** The options with which a scorer's verdicts are committed; a scorer that is not here has its defaults. */
export const frozenOptions: Readonly<Record<string, readonly unknown[]>> = {
  'assay/exact_match': [{}, { ignore_case: true }, { extraction: 'final_answer', ignore_case: true }, { normalize_unicode: false }],
  'assay/includes': [{}, { ignore_case: true }, { require: 'all' }],
  'assay/pattern': [{ pattern: '^Paris' }, { pattern: 'paris', ignore_case: true, expect: 'no_match' }],
  'assay/numeric': [{}, { extraction: 'last_number' }, { extraction: 'boxed' }, { no_answer: 'unscored' }],
  'assay/choice': [{}, { no_answer: 'unscored' }, { multiple_correct: true }],
  'assay/date': [{}, { order: 'day_first' }, { order: 'month_first' }],
  'assay/edit_distance': [{}, { max_edits: 2, ignore_case: true }],
  'assay/set_match': [{}, { measure: 'f1' }, { measure: 'recall' }, { measure: 'jaccard' }],
  'assay/json_schema': [{ schema: { type: 'object', properties: { a: { const: 1 } } } }],
  'assay/json_path': [{ path: '$.a' }, { path: '$.a', expect: 'exists' }],
  'inspect_ai/match': [
    {},
    { location: 'begin' },
    { location: 'any' },
    { location: 'exact' },
    { numeric: true },
    { numeric: true, location: 'any' },
    { ignore_case: false },
  ],
  'inspect_ai/pattern': [{ pattern: String.raw`(\w+)\W*$` }, { pattern: String.raw`(\d+)`, match_all: true }],
  'inspect_ai/answer': [{ pattern: 'letter' }, { pattern: 'word' }, { pattern: 'line' }],
  'inspect_ai/choice': [{}, { release: '0.3.259' }, { release: '0.3.258' }, { multiple_correct: true }],
  'lm_eval/exact_match': [{}, { ignore_case: true, ignore_punctuation: true }, { ignore_numbers: true }],
  'lm_eval/multiple_choice': [{ metric: 'acc' }, { metric: 'acc_norm' }, { metric: 'acc_bytes' }],
  'lm_eval/drop': [{ metric: 'f1' }, { metric: 'em' }],
  'evalplus/check_output': [{}, { atol: 0.001 }],
  'openai_evals/Includes': [{}, { ignore_case: true }],
  'autoevals/ListContains': [{}, { allowExtraEntities: true }],
  'rouge_score/rouge': [{}, { type: 'rouge1', use_stemmer: true }, { type: 'rouge2' }, { type: 'rougeLsum' }],
  'ocrbench/contains': [{}, { formula: true }],
  ...Object.fromEntries<readonly unknown[]>([
    ...promptfoo('word-count', 3),
    ...promptfoo('is-json', undefined),
    ...promptfoo('tool-call-f1', ['search', 'book']),
    ['promptfoo/test', [{}, { metric: 'score' }]] as const,
  ]),
}
