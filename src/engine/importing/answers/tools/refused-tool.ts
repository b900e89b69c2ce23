import type { AnswerFormat } from '../../../../contract/answers/answers.schemas.ts'
import type { Mark } from './file-marks.ts'

/** Files of a tool that hold no answers, or none that could be told apart. */
export interface RefusedTool {
  readonly tool: string
  /** What to send instead. */
  readonly instead: string
  /** Formats that read it as a table of outputs, as `instead` advises. */
  readonly tables?: readonly AnswerFormat[]
  readonly marks: readonly Mark[]
}

export const tables: readonly AnswerFormat[] = ['csv', 'json', 'jsonl']

/** @param output where the output is @param scores that are columns of the table, too */
export const table = (id: string, output: string, scores = 'a column for each score'): string =>
  `Send a table of "id" (${id}), "output" (${output}) and ${scores}, and import it as outputs for a benchmark with its questions.`
export const evidence = (what: string, columns: string): string =>
  `${what}, which Assay does not run. Send ${columns} as evidence of a release.`
