/** One item of a file: an object of JSON, or a line of CSV by its column names. */
export interface Row {
  /** Line on which it begins, from 1. */
  readonly line: number
  /** Which item of its file it is, from 1; bad ones count. */
  readonly position: number
  /** The archive member that contains it. */
  readonly entry?: string | undefined
  readonly value: Readonly<Record<string, unknown>>
}

export type MissingColumn = 'input' | 'target'

/** What is wrong with a file, and on which line; null where it concerns the file as a whole. */
export interface Problem {
  readonly line: number | null
  readonly message: string
  /** Part of the mapping that no column has a usual name for: the columns are to be chosen, and the row may be sound. */
  readonly missingColumn?: MissingColumn | undefined
}

/** A row or its problem. A reader continues after a problem wherever it can find the beginning of the next row. */
export type RowOrProblem =
  | ({ readonly kind: 'row' } & Omit<Row, 'position'>)
  | ({ readonly kind: 'problem' } & Problem)
  /** Left out on purpose, and why: it is counted in a warning and stops nothing. */
  | { readonly kind: 'skipped'; readonly line: number; readonly message: string }

/** Why a row cannot be used; the file's reader adds the line. */
export class RowError extends Error {
  override readonly name = 'RowError'
  readonly missingColumn: MissingColumn | undefined

  constructor(message: string, missingColumn?: MissingColumn) {
    super(message)
    this.missingColumn = missingColumn
  }
}

export function problem(line: number | null, message: string, entry?: string): RowOrProblem {
  return { kind: 'problem', line, message: located(message, entry) }
}

/** A message that names the file of an archive it is about. */
export function located(message: string, entry: string | undefined): string {
  return entry === undefined ? message : `"${entry}": ${message}`
}
