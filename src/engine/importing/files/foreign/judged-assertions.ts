import { z } from 'zod'
import { isSimilar, SimilarAssertion } from '../../../grading/embeddings/similar.ts'
import type { JudgedAssertion } from '../import-order.ts'
import { RowError } from '../row.ts'
import type { CaseAssertion } from './promptfoo-case.ts'

const rubricPreset = 'test_rubric'

/** In place of a preset's id: an evaluator that compares embeddings has none. */
export const embeddingPreset = 'embedding_similarity'

/** Assertions that a model grades, and the preset of an evaluator that asks a judge the same. */
const presets: ReadonlyMap<string, string> = new Map([
  ['llm-rubric', rubricPreset],
  ['not-llm-rubric', rubricPreset],
  ['g-eval', rubricPreset],
  ['model-graded-closedqa', rubricPreset],
  ['not-model-graded-closedqa', rubricPreset],
  ['factuality', 'correctness'],
  ['model-graded-factuality', 'correctness'],
  ['answer-relevance', 'relevance'],
  ['context-faithfulness', 'faithfulness'],
])

export const judgedTypes: readonly string[] = [...presets.keys()]

const Rubric = z.union([z.string(), z.array(z.string()).transform(parts => parts.join('\n'))])

/** The judged assertions of an import. */
export interface Judged {
  /** Whether they are left to evaluators; otherwise a test with one is refused. */
  readonly leaveOut: boolean
  /** Tests by type of assertion. */
  readonly tests: Map<string, number>
  /** Assertions for a judge with a threshold or weight of their own, which no evaluator takes from a test. */
  bounded: number
}

export function createJudged(leaveOut: boolean): Judged {
  return { leaveOut, tests: new Map(), bounded: 0 }
}

/** By the presets that grade them, most tests first. */
export function judgedAssertions({ tests }: Judged): JudgedAssertion[] {
  return [...tests]
    .map(([assertion, tasks]) => ({ assertion, preset: isSimilar(assertion) ? embeddingPreset : (presets.get(assertion) ?? ''), tasks }))
    .toSorted((a, b) => b.tasks - a.tasks)
}

/** Or a model of embeddings. */
export function needsJudge(type: string): boolean {
  return presets.has(type) || isSimilar(type)
}

/** What is said of an assertion for a judge before it is left to evaluators. */
export function judgeNeeded(type: string): string {
  return `The assertion "${type}" ${isSimilar(type) ? 'compares embeddings' : 'needs a judge'}. Leave it out of the import ("leave_out"), which keeps the test, and grade it with an evaluator.`
}

/** What a judge is to compare with: the rubric or reference of an assertion. @throws RowError where it has no text */
export function rubricOf({ type, value }: Pick<CaseAssertion, 'type' | 'value'>): string {
  if (isSimilar(type)) return similarTexts(type, value).join('\n')
  const rubric = Rubric.safeParse(value ?? '')
  if (!rubric.success)
    throw new RowError(`The value of the assertion "${type}" must be a text, not ${JSON.stringify(value).slice(0, 100)}.`)
  return type.startsWith('not-') ? `The answer must not meet this: ${rubric.data}` : rubric.data
}

/** What an output is to be similar to. @throws RowError where it has no text */
function similarTexts(type: string, value: unknown): readonly string[] {
  const read = SimilarAssertion.safeParse({ type, value })
  if (read.success && !read.data.value.some(text => text.trim() === '')) return read.data.value
  throw new RowError(
    `The value of the assertion "${type}" must be one or more texts, not ${(JSON.stringify(value) ?? 'none').slice(0, 100)}.`,
  )
}
