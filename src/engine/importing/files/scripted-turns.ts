import type { Task } from '../../tasks/task.ts'
import { scalarText, textField, textsField } from './row-fields.ts'
import { type Row, RowError } from './row.ts'

/**
 * Scripted turns: those behind the first of a list, and those of a column of their own.
 * @param repeated the column whose text comes again as the first of the turns and is left out; null where it does not
 * @throws RowError also where it begins with another text
 */
export function scriptedTurns(
  row: Row,
  column: string | undefined,
  repeated: string | null,
  following: readonly string[] = [],
): Pick<Task, 'turns'> {
  const value = column === undefined ? undefined : row.value[column]
  const more =
    column === undefined || value === undefined || value === null ? [] : typeof value === 'string' ? [value] : textsField(row, column)
  if (column !== undefined && repeated !== null && more.length > 0 && more.shift() !== textField(row, repeated))
    throw new RowError(
      `"${column}" does not begin with the text of "${repeated}", as it does in other rows. Name one of them as "input" in "mapping".`,
    )
  const turns = [...following, ...more]
  if (turns.some(turn => turn.trim() === '')) throw new RowError(`A turn in "${column ?? 'turns'}" is empty.`)
  if (turns.length > mostTurns) throw new RowError(`A task has ${turns.length} turns; at most ${mostTurns} are allowed.`)
  return turns.length === 0 ? {} : { turns }
}

/** Reference answers of each turn, null for those that are not graded. @param answers that the task has */
export function turnTargets(row: Row, column: string, answers: number): (string[] | null)[] {
  const value = row.value[column]
  if (!Array.isArray(value)) throw new RowError(`"${column}" must be a list with the reference answers of each turn.`)
  if (value.length !== answers)
    throw new RowError(
      `"${column}" has ${value.length} entries and the task has ${answers} turns. Write null for a turn that is not graded.`,
    )
  const targets = value.map((entry: unknown, i) => {
    const texts = entry === null ? null : (Array.isArray(entry) ? entry : [entry]).map(text => scalarText(text, `${column}[${i}]`))
    if (texts?.some(text => text.trim() === ''))
      throw new RowError(`A reference answer in "${column}" is empty. Write null for a turn that is not graded.`)
    return texts
  })
  if (targets.every(own => own === null || own.length === 0)) throw new RowError(`No turn in "${column}" has a reference answer.`)
  return targets
}

/** Each is a call. */
const mostTurns = 32
