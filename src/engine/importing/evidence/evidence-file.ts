import { nameFew } from '../../../lib/format/name-few.ts'

/** One value that a file states: of a task, by one metric, from one answer. */
export interface EvidenceRow {
  /** Line of the file on which it begins, from 1; null where the format has none. */
  readonly line: number | null
  readonly task: string
  /** Whether `task` is only the row's place in its file, such as a number that the tool gave it. */
  readonly isPlace: boolean
  /** What the file shows of the question, to be found among the tasks of a suite; empty where it shows nothing. */
  readonly texts: readonly string[]
  /** Which of several systems was tried, such as a provider; null where the file is about one. */
  readonly label: string | null
  readonly metric: string
  /** Null: unscored. */
  readonly value: number | null
}

/** A figure that a file states about many tasks, without saying which task got what. */
export interface EvidenceFigure {
  readonly name: string
  readonly group: string | null
  readonly label: string | null
  readonly value: number
  readonly standardError: number | null
  /** Tasks that it rests on. */
  readonly n: number | null
}

/** What a file of evidence states. */
export interface EvidenceFile {
  readonly rows: readonly EvidenceRow[]
  /** Used only where there are no rows. */
  readonly figures: readonly EvidenceFigure[]
  readonly cautions: readonly string[]
  /** Why it can never satisfy coverage; null where it can. */
  readonly blocked: string | null
}

/** How a file's fields are read, as the request for an analysis says. */
export interface EvidenceMapping {
  /** Field that names the task. */
  readonly taskField?: string | undefined
  /** Field, metric or scorer that gives the value. */
  readonly valueField?: string | undefined
}

/** A file cannot be read: the message says where and why. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError'
  /** From 1; null where the fault has no line. */
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `Line ${line}: ${message}`)
    this.line = line
  }
}

/** More tasks are not read. */
export const mostTasks = 100_000
/** Longer names of tasks are refused. */
const mostTaskCharacters = 500

/** The name of a task. @throws EvidenceError when it is empty or too long */
export function taskName(text: string, line: number | null): string {
  const name = text.trim()
  if (name === '') throw new EvidenceError('The name of the task is empty.', line)
  if (name.length > mostTaskCharacters)
    throw new EvidenceError(`The name of a task has ${name.length} characters; at most ${mostTaskCharacters} are read.`, line)
  return name
}

/** A name that says nothing but a position. */
export function isNumber(name: string): boolean {
  return /^\d{1,12}$/.test(name)
}

/** The texts among the values of a record: the question is one of them. */
export function textsOf(values: Readonly<Record<string, unknown>> | null | undefined): string[] {
  return Object.values(values ?? {}).filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** The one metric that is meant. @throws EvidenceError when it is not there */
export function chooseMetric(names: readonly string[], wanted: string | undefined, what: string): string {
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted
    throw new EvidenceError(`There is no ${what} "${wanted.slice(0, 60)}"; the file has ${listed(names)}. Change value_field.`)
  }
  const [first] = names
  if (first === undefined) throw new EvidenceError(`The file has no ${what}.`)
  return first
}

export function listed(names: readonly string[]): string {
  const shown = names.map(name => `"${name.slice(0, 60)}"`)
  return names.length === 0 ? 'none' : nameFew(shown, 10)
}
