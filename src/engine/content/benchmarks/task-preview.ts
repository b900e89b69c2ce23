import { conversationText } from '../../../contract/messages/message-text.ts'
import type { Task } from '../../tasks/task.ts'

const longest = 120
/** A task of at most as many characters is shown whole: half of “What is 1 + 3?” tells no task from another. */
const short = 40

/** What a task asks, as one text: its fields in their order, conversations whole. */
export function inputOf({ fields, conversations }: Pick<Task, 'fields' | 'conversations'>): string {
  return textOf(
    Object.entries(fields).map(([name, field]) => {
      const messages = conversations && Object.hasOwn(conversations, name) ? conversations[name] : undefined
      return messages ? conversationText(messages) : field
    }),
  )
}

function textOf(fields: readonly string[]): string {
  return fields.filter(field => field !== '').join('\n')
}

/** The first words of a task, of its last message where it is a conversation, on one line: at most 120 characters and at most half of it unless it is short, so that a list gives no task away. */
export function previewOf(task: Pick<Task, 'fields'>): string {
  const text = textOf(Object.values(task.fields))
  if (text.length <= short) return text.replaceAll(/\s+/g, ' ').trim()
  const most = Math.min(longest, Math.floor(text.length / 2)) - 1
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line.length <= most) return `${line}…`
  const cut = line.slice(0, most)
  const lastBlank = cut.lastIndexOf(' ')
  // A text without blanks is cut anywhere, but not through a surrogate pair.
  return `${(lastBlank > most / 2 ? cut.slice(0, lastBlank) : cut).replace(/[\ud800-\udbff]$/, '').trimEnd()}…`
}
