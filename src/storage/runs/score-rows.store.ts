import type { Statement } from '../database.ts'

/** A scorer's verdict, as it is stored. */
export interface ScoreRow {
  readonly value: number | null
  readonly class: string
  readonly answer: string | null
  /** Where the answer is in the output, in UTF-16 code units, end exclusive. */
  readonly answerSpan: { readonly start: number; readonly end: number } | null
  readonly explanation: string
  readonly counts?: Readonly<Record<string, number>>
  /** The verdict in words; without a verdict, the code of the reason. */
  readonly label?: string
}

/** Location of a sample's scores, and the first result version that they hold for. */
export interface ScorePlace {
  readonly runNo: number
  readonly position: number
  readonly version: number
}

/** @param insert of `insertScoreSql` @param scores by metric number */
export function insertScores(insert: Statement, { runNo, position, version }: ScorePlace, scores: readonly ScoreRow[]): void {
  for (const [metricNo, { value, class: verdict, answer, answerSpan, explanation, counts, label }] of scores.entries()) {
    const span = [answerSpan?.start ?? null, answerSpan?.end ?? null]
    const words = label?.toWellFormed() ?? null
    // What is graded of a refusal is a verdict without a value.
    const isVerdict = value !== null || verdict === 'refused'
    const texts = [explanation.toWellFormed(), counts ? JSON.stringify(counts) : null, isVerdict ? null : words, isVerdict ? words : null]
    insert.run(runNo, position, metricNo, version, value, verdict, answer?.toWellFormed() ?? null, ...span, ...texts)
  }
}

/** What a sample itself shows of its scores: the primary metric's value, and whether that is a pass. */
export function shownScore(
  metrics: readonly { readonly primary: boolean }[],
  scores: readonly ScoreRow[],
): { value: number | null; passed: 0 | 1 | null } {
  const value = scores[metrics.findIndex(metric => metric.primary)]?.value ?? null
  return { value, passed: value === null ? null : value >= 1 ? 1 : 0 }
}
