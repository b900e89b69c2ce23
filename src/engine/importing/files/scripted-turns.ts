import type { Task } from '../../tasks/task.ts'
import { textsField } from './row-fields.ts'
import { type Row, RowError } from './row.ts'

/** Scripted turns: those behind the first of a list, and those of a column of their own. */
export function scriptedTurns(row: Row, column: string | undefined, following: readonly string[] = []): Pick<Task, 'turns'> {
  const value = column === undefined ? undefined : row.value[column]
  const more =
    column === undefined || value === undefined || value === null ? [] : typeof value === 'string' ? [value] : textsField(row, column)
  const turns = [...following, ...more]
  if (turns.some(turn => turn.trim() === '')) throw new RowError(`A turn in "${column ?? 'turns'}" is empty.`)
  if (turns.length > mostTurns) throw new RowError(`A task has ${turns.length} turns; at most ${mostTurns} are allowed.`)
  return turns.length === 0 ? {} : { turns }
}

/** Each is a call. */
const mostTurns = 32
