import { type Message, type Part, partsOf } from '../../../contract/messages/messages.schemas.ts'
import type { ToolCall, Turn } from '../../clients/model-client.ts'

/** A conversation as model clients take it: tool calls beside the content that came with them, results by the id of their call. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  return messages.map(turnOf)
}

function turnOf(message: Message): Turn {
  const { role, content, tool_call_id: toolCallId, name } = message
  const named = name === undefined ? {} : { name }
  if (role === 'tool') {
    const isError = partsOf(message).some(part => part.type === 'tool_result' && part.is_error === true)
    return { role, content: plainOf(content), toolCallId: toolCallId ?? '', ...named, ...(isError && { isError }) }
  }
  if (typeof content === 'string') return { role, content, ...named }
  const toolCalls = content.flatMap((part): ToolCall[] =>
    part.type === 'tool_call' ? [{ id: part.id, name: part.name, arguments: part.arguments }] : [],
  )
  if (toolCalls.length === 0 || role !== 'assistant') return { role, content, ...named }
  return { role, content: plainOf(content.filter(({ type }) => type !== 'tool_call')), toolCalls }
}

/** Text alone as a string, since that is what every endpoint takes. */
function plainOf(content: Message['content']): Message['content'] {
  if (typeof content === 'string') return content
  const texts = content.map(textIn)
  return texts.every(text => text !== null) ? texts.join('\n') : content
}

function textIn(part: Part): string | null {
  return part.type === 'text' ? part.text : part.type === 'tool_result' ? part.content : null
}
