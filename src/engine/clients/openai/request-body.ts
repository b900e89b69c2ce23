import type { ModelRequest, ToolDefinition, Turn } from '../model-client.ts'
import { parametersSchema } from '../wire/json-schema.ts'
import type { Endpoint } from './endpoint.ts'

export interface BodySettings {
  readonly model: string
  readonly streaming: boolean
  readonly limitField: Endpoint['limitField']
}

/** The body of a chat-completions call, byte for byte as sent. The same request gives the same bytes. */
export function requestBody(request: ModelRequest, { model, streaming, limitField }: BodySettings): Buffer {
  const body = chatBody(request, { model, limitField })
  // A tool call that arrives in pieces cannot be acted on before the last of them, so a request with tools asks for the whole.
  const asStream = streaming && request.tools === undefined
  return Buffer.from(JSON.stringify({ ...body, ...(asStream ? { stream: true, stream_options: { include_usage: true } } : {}) }))
}

/** A chat-completions request, not streamed. */
export function chatBody(request: ModelRequest, { model, limitField }: Omit<BodySettings, 'streaming'>): Record<string, unknown> {
  return {
    model,
    messages: request.messages.map(messageOf),
    [limitField]: request.maxOutputTokens,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.stop.length === 0 ? {} : { stop: request.stop }),
    ...(request.effort === undefined ? {} : { reasoning_effort: request.effort }),
    ...(request.tools ? { tools: request.tools.map(toolOf) } : {}),
  }
}

function messageOf(turn: Turn): object {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.toolCallId, content: turn.content }
  if (!('toolCalls' in turn)) return { role: turn.role, content: turn.content }
  const calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } }))
  return { role: 'assistant', content: turn.content, tool_calls: calls }
}

function toolOf(tool: ToolDefinition): object {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: parametersSchema(tool) } }
}
