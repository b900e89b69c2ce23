import { gradeOne } from '../../../engine/grading/scorers/registry.ts'
import type { Score } from '../../../engine/grading/scorers/scorer.ts'
import type { VectorFamily, VectorRow } from './vector-row.ts'

/** These tools take JSON values where our scorers take text. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function autoevals(row: VectorRow): unknown {
  // The only number scorer of the file is the default one.
  const { numberScorer: _default, ...options } = row.options
  return gradeOne({ scorer: row.scorer, options }, { output: asText(row.output), targets: [asText(row.target)] }).value
}

function promptfoo(row: VectorRow): Score {
  return gradeOne({ scorer: row.scorer, options: { ...row.options, value: row.target } }, { output: asText(row.output), targets: [] })
}

function assertion(row: VectorRow): unknown {
  const { value, values } = promptfoo(row)
  return { pass: values?.['pass'] === 1, score: value }
}

const assertionTypes = [
  'contains',
  'not-contains',
  'icontains',
  'contains-any',
  'icontains-any',
  'equals',
  'not-equals',
  'levenshtein',
  'word-count',
  'not-word-count',
  'tool-call-f1',
]

export const autoevalsVectors: VectorFamily = {
  runs: Object.fromEntries(
    ['ExactMatch', 'JSONDiff', 'Levenshtein', 'ListContains', 'ValidJSON'].map(name => [`autoevals/${name}`, autoevals]),
  ),
  // The file gives some scores to four decimals.
  tolerance: 5e-5,
}

export const promptfooVectors: VectorFamily = {
  runs: {
    ...Object.fromEntries(assertionTypes.map(type => [`promptfoo/${type}`, assertion])),
    'promptfoo/bleu': row => promptfoo(row).value,
  },
}
