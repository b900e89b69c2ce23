import { z } from 'zod'
import { answerVectors } from './answer.vectors.ts'
import { codeVectors } from './code.vectors.ts'
import { ifevalVectors } from './ifeval.vectors.ts'
import { inspectVectors } from './inspect-ai.vectors.ts'
import { autoevalsVectors, promptfooVectors } from './javascript-tools.vectors.ts'
import { lmEvalVectors } from './lm-eval.vectors.ts'
import { matchesExpected } from './matches-expected.ts'
import { scorers } from '../../../engine/grading/scorers/registry.ts'
import { scoreRow } from './read-row.ts'
import { type RunVector, type VectorFamily, type VectorRow, vectorRowSchema } from './vector-row.ts'
import { messageOf } from '../../../lib/message-of.ts'

/** A row of a vectors file on which ours differs. */
export interface VectorFailure {
  /** Position in the file, from 1. */
  readonly row: number
  readonly scorer: string
  readonly reason: string
}

export interface VectorReport {
  readonly passed: number
  readonly failures: readonly VectorFailure[]
}

const families: readonly VectorFamily[] = [
  inspectVectors,
  lmEvalVectors,
  ifevalVectors,
  codeVectors,
  answerVectors,
  autoevalsVectors,
  promptfooVectors,
]

const runs: ReadonlyMap<string, { run: RunVector; tolerance: number }> = new Map(
  families.flatMap(({ runs: own, tolerance = 1e-9 }) => Object.entries(own).map(([name, run]) => [name, { run, tolerance }] as const)),
)

/** A scorer without a form of its own in vectors: its value, or whether that is 1. */
const registered = {
  run: (row: VectorRow) => {
    const { value } = scoreRow(row)
    return typeof row.expected === 'boolean' ? value === 1 : value
  },
  tolerance: 1e-9,
}

/**
 * Runs every row of a vectors file (a JSON array) against our scorers.
 * @throws Error when the file is not such an array
 */
export function checkVectors(file: unknown): VectorReport {
  const rows = z.array(vectorRowSchema).safeParse(file)
  if (!rows.success)
    throw new Error(
      `The vectors file is not an array of rows with scorer, options, output, target and expected: ${z.prettifyError(rows.error)}`,
    )
  const failures: VectorFailure[] = []
  for (const [i, row] of rows.data.entries()) {
    const reason = whyDifferent(row)
    if (reason !== null) failures.push({ row: i + 1, scorer: row.scorer, reason })
  }
  return { passed: rows.data.length - failures.length, failures }
}

function whyDifferent(row: VectorRow): string | null {
  const known = runs.get(row.scorer) ?? (scorers.has(row.scorer) ? registered : undefined)
  if (!known) return `no scorer here answers to ${row.scorer}`
  let actual: unknown
  try {
    actual = known.run(row)
  } catch (error) {
    actual = `error: ${messageOf(error)}`
  }
  return matchesExpected(actual, row.expected, known.tolerance)
    ? null
    : `expected ${show(row.expected)}, got ${show(actual)}, for ${show(row.output)} against ${show(row.target)}`
}

function show(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'number' && !Number.isFinite(item) ? String(item) : item)) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
