/** What a model client notes about a call. */
export const callNoteCodes = [
  'parameter_dropped',
  'parameter_adapted',
  'parameter_refused',
  'prompt_truncated',
  'answer_filtered',
  'answer_cut_off',
  'answer_empty',
  'usage_ignored',
] as const
