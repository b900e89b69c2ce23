import { readConversation, taskInput } from '../../messages/read-conversation.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import type { Task } from '../../../tasks/task.ts'
import { presentField, scalarText, withoutNulls } from '../row-fields.ts'
import { type Row, RowError } from '../row.ts'
import { writtenCell } from '../written-numbers.ts'

/** What a task is asked with: text, or the messages of a conversation. */
export type ForeignInput = Pick<Task, 'fields' | 'conversations'>

/** A prompt as text or as messages. */
export function promptInput(row: Row, name: string, intake: MediaIntake): ForeignInput {
  const value = presentField(row, name)
  if (!Array.isArray(value)) {
    const text = scalarText(writtenCell(row.value, name, 'as written'), name)
    if (text.trim() === '') throw new RowError(`The field "${name}" is empty.`)
    return { fields: { input: text } }
  }
  const { messages, answer, left } = readConversation(value, name, found => intake.reference(found, name))
  intake.leave(left)
  if (answer !== null) throw new RowError(`The conversation in "${name}" ends with an answer of the model; it must end with a question.`)
  return taskInput(messages)
}

/** Reference answers: one, or a list of which any counts. */
export function targetTexts(row: Row, name: string): string[] {
  presentField(row, name)
  const value = writtenCell(row.value, name, 'as written')
  const targets = (Array.isArray(value) ? withoutNulls(value) : [value]).map(target => scalarText(target, name))
  if (targets.length === 0 || targets.some(target => target.trim() === '')) throw new RowError(`The field "${name}" is empty.`)
  return targets
}

/** The id in a field, or one made of the row's place where it has none. */
export function taskId(row: Row, name: string): string {
  if (!Object.hasOwn(row.value, name) || row.value[name] === null || row.value[name] === '')
    return `row-${String(row.position).padStart(4, '0')}`
  const id = scalarText(row.value[name], name).trim()
  if (id === '' || id.length > 200 || /\p{Cc}/u.test(id))
    throw new RowError(`The id in "${name}" must be 1 to 200 characters without control characters.`)
  return id
}

export function foreignTask(
  given: Pick<Task, 'id' | 'targets'> & { readonly input: ForeignInput; readonly choices?: readonly string[] | null },
): Task {
  const { id, input, targets, choices = null } = given
  return {
    id,
    split: 'test',
    ...input,
    targets,
    choices,
    metadata: choices ? { answer_template: 'ANSWER: {answer}' } : {},
    capabilities: [],
    dependsOn: [],
  }
}
