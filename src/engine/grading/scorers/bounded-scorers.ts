/**
 * Scorers whose time grows in proportion to the answer, whatever it holds: fixed patterns without nested quantifiers and comparisons of
 * texts. Everything else (model-written code, judges, formulas, edit distances, schemas) is graded in threads.
 */
export const boundedScorers: ReadonlySet<string> = new Set([
  'assay/exact_match',
  'assay/includes',
  'assay/numeric',
  'assay/recorded_score',
  'assay/choice',
  'assay/set_match',
  'lm_eval/gsm8k_strict',
  'lm_eval/gsm8k_flexible',
  'inspect_ai/exact',
  'inspect_ai/includes',
])

/** Whether grading one answer of ordinary length takes well under a millisecond: a scorer of the list, with no pattern of a person's own. */
export function isBounded({ scorer, options }: { readonly scorer: string; readonly options: Readonly<Record<string, unknown>> }): boolean {
  return boundedScorers.has(scorer) && !hasOwnPattern(options['extraction'])
}

function hasOwnPattern(extraction: unknown): boolean {
  return extraction !== undefined && typeof extraction !== 'string'
}
