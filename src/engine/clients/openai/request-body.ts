import type { ModelRequest, ToolDefinition, Turn } from '../model-client.ts'
import { parametersSchema } from '../wire/json-schema.ts'
import type { MediaLookup } from '../wire/media-lookup.ts'
import { chatContent, chatReasoning } from './content-parts.ts'
import { toolCallingMessage } from './tool-calls.ts'

/** Name of the output limit. */
export type LimitField = 'max_tokens' | 'max_completion_tokens'

/** OpenAI itself has deprecated `max_tokens`, most other servers know nothing newer. */
export function limitFieldOf(baseUrl: string): LimitField {
  return URL.parse(baseUrl)?.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens'
}

interface BodySettings {
  readonly model: string
  readonly limitField: LimitField
}

/** A chat-completions request, not streamed. The same request gives the same bytes. */
export function chatBody(request: ModelRequest, { model, limitField }: BodySettings, media: MediaLookup): Record<string, unknown> {
  return {
    model,
    messages: request.messages.map(turn => messageOf(turn, media)),
    [limitField]: request.maxOutputTokens,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.stop.length === 0 ? {} : { stop: request.stop }),
    ...(request.effort === undefined ? {} : { reasoning_effort: request.effort }),
    ...(request.tools ? { tools: request.tools.map(toolOf) } : {}),
  }
}

function messageOf(turn: Turn, media: MediaLookup): object {
  const content = chatContent(turn.content, media)
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.toolCallId, content }
  const thought = chatReasoning(turn.content)
  if ('toolCalls' in turn) return toolCallingMessage({ ...turn, content }, thought)
  return { role: turn.role, content, ...thought, ...(turn.name !== undefined && { name: turn.name }) }
}

function toolOf(tool: ToolDefinition): object {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: parametersSchema(tool) } }
}
