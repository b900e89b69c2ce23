import { z } from 'zod'
import type { Task } from '../../../tasks/task.ts'
import { presentField, scalarText } from '../row-fields.ts'
import { type Row, RowError } from '../row.ts'

const Part = z.object({ type: z.string(), text: z.string().optional() })
const Message = z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]) })
const Messages = z.array(Message).min(1)

/** A prompt as text or as messages. Messages become one text, each behind its role unless there is a single one. */
export function promptText(row: Row, name: string): string {
  const value = presentField(row, name)
  if (!Array.isArray(value)) {
    const text = scalarText(value, name)
    if (text.trim() === '') throw new RowError(`The field "${name}" is empty.`)
    return text
  }
  const text = messagesText(value, name)
  if (text === null) throw new RowError(`The list "${name}" must hold messages with "role" and "content".`)
  return text
}

/** Messages as one text, each behind its role unless there is a single one; null for what is no list of messages. */
export function messagesText(value: unknown, name = 'prompt'): string | null {
  const messages = Messages.safeParse(value)
  if (!messages.success) return null
  const texts = messages.data.map(({ role, content }) => ({ role, text: typeof content === 'string' ? content : partsText(content, name) }))
  const [only] = texts
  return texts.length === 1 && only ? only.text : texts.map(({ role, text }) => `${role.toUpperCase()}:\n${text}`).join('\n\n')
}

function partsText(parts: readonly z.infer<typeof Part>[], name: string): string {
  const other = parts.find(({ type, text }) => type !== 'text' || text === undefined)
  if (other) throw new RowError(`A message of "${name}" holds a part of type "${other.type.slice(0, 40)}"; only text can be imported.`)
  return parts.map(({ text }) => text ?? '').join('')
}

/** Reference answers: one, or a list of which any counts. */
export function targetTexts(row: Row, name: string): string[] {
  const value = presentField(row, name)
  const targets = (Array.isArray(value) ? value : [value]).map((target: unknown) => scalarText(target, name))
  if (targets.length === 0 || targets.some(target => target.trim() === '')) throw new RowError(`The field "${name}" is empty.`)
  return targets
}

/** The id in a field, or one made of the row's place where it has none. */
export function taskId(row: Row, name: string): string {
  if (!Object.hasOwn(row.value, name) || row.value[name] === null) return `row-${String(row.position).padStart(4, '0')}`
  const id = scalarText(row.value[name], name).trim()
  if (id === '' || id.length > 200 || /\p{Cc}/u.test(id))
    throw new RowError(`The id in "${name}" must be 1 to 200 characters without control characters.`)
  return id
}

export function foreignTask(
  given: Pick<Task, 'id' | 'targets'> & { readonly input: string; readonly choices?: readonly string[] | null },
): Task {
  const { id, input, targets, choices = null } = given
  return {
    id,
    split: 'test',
    fields: { input },
    targets,
    choices,
    metadata: choices ? { answer_template: 'ANSWER: {answer}' } : {},
    capabilities: [],
    dependsOn: [],
  }
}
