/** Address parameters of the filters behind "More filters". */
export const moreFilterNames = [
  'status',
  'passed',
  'error',
  'capability',
  'part',
  'group',
  'tag',
  'bookmarked',
  'noted',
  'from',
  'to',
  'latency_min',
  'latency_max',
  'tokens_min',
  'tokens_max',
] as const
