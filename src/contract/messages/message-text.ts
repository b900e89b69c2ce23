import { type Message, type MessageContent, type Part, partsOf } from './messages.schemas.ts'

/** The text of a message, without its other parts. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.flatMap(part => (part.type === 'text' ? [part.text] : part.type === 'tool_result' ? [part.content] : [])).join('\n')
}

/** A message as text for people and text-only readers: each part on lines of its own, media by name. */
export function describeContent(content: MessageContent): string {
  return typeof content === 'string' ? content : content.map(describePart).join('\n')
}

function describePart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool_result':
      return part.content
    case 'reasoning':
      return part.redacted ? '[reasoning, encrypted]' : `[reasoning]\n${part.text}`
    case 'tool_call':
      return `[tool call ${part.name}] ${part.arguments}`
    case 'image':
      return `[image${part.alt === undefined ? '' : `: ${part.alt}`} ${part.media}]`
    case 'audio':
      return `[audio${part.transcript === undefined ? '' : `: ${part.transcript}`} ${part.media}]`
    case 'document':
      return `[document${part.title === undefined ? '' : `: ${part.title}`} ${part.media}]`
  }
}

/** A conversation as one text: each message behind its role, unless there is a single one. */
export function conversationText(messages: readonly Pick<Message, 'role' | 'content'>[]): string {
  const [only, other] = messages
  if (only && !other) return describeContent(only.content)
  return messages.map(({ role, content }) => `${role.toUpperCase()}:\n${describeContent(content)}`).join('\n\n')
}

/** A prompt as one text, a blank line between messages; with their roles where it has messages of a model or a tool. */
export function promptText(messages: readonly Pick<Message, 'role' | 'content'>[]): string {
  if (messages.some(({ role }) => role === 'assistant' || role === 'tool')) return conversationText(messages)
  return messages.map(({ content }) => describeContent(content)).join('\n\n')
}

/** All text of a part that a model reads; empty for media. */
export function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool_call') return part.name + part.arguments
  return part.type === 'tool_result' ? part.content : ''
}

/** One behind the other; texts that meet become one part. */
export function joined(first: MessageContent, second: MessageContent): MessageContent {
  if (typeof first === 'string' && typeof second === 'string') return first + second
  if (first === '') return second
  if (second === '') return first
  const [before, after] = [partsOf({ content: first }), partsOf({ content: second })]
  const [end, start] = [before.at(-1), after[0]]
  return end?.type === 'text' && start?.type === 'text'
    ? [...before.slice(0, -1), { type: 'text', text: end.text + start.text }, ...after.slice(1)]
    : [...before, ...after]
}

/** Content with text before and after it, in the parts of text that are there. */
export function framed(before: string, content: MessageContent, after: string): MessageContent {
  return joined(joined(before, content), after)
}
