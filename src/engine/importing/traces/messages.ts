import type { TraceMessage } from '../../../contract/traces/traces.schemas.ts'
import { splitReasoning, withReasoning } from '../../../lib/split-reasoning.ts'
import type { MediaPart } from '../../../contract/messages/messages.schemas.ts'
import { isDigest, storedParts } from './stored-part.ts'
import { isDeeperThan, type Json, textOf } from './mapped-span.ts'
import { isObject } from '../../../lib/json-value.ts'

/** Deeper values are left as the texts that they came as. */
const mostLevels = 64

/** Text that may be JSON: parsed where it is an object or a list, as it is otherwise. */
export function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isDeeperThan(parsed, mostLevels) ? value : parsed
  } catch {
    return value
  }
}

/** Any value as text for people: texts as they are, the rest as JSON. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * The messages in a value of the usual shapes: a list of messages, `{messages: […]}`, one message, an OpenAI reply with `choices`.
 * Anything else is one message of the fallback role.
 */
export function messagesIn(value: unknown, fallbackRole: 'input' | 'output'): TraceMessage[] {
  const read = parseIfJson(value)
  if (read === null || read === undefined || read === '') return []
  const list = messageList(read)
  if (list) return list.flatMap(messageOf)
  if (fallbackRole === 'input') return [{ role: fallbackRole, content: asText(read) }]
  const { output, reasoning } = splitReasoning(asText(read))
  return [{ role: fallbackRole, content: output, ...(reasoning === null ? {} : { reasoning }) }]
}

function messageList(value: unknown): readonly Json[] | null {
  if (Array.isArray(value)) {
    // LangChain wraps the batch of prompts in one more list.
    const flat: unknown[] = value.length === 1 && Array.isArray(value[0]) ? value[0] : value
    return flat.length > 0 && flat.every(isMessage) ? flat : null
  }
  if (!isObject(value)) return null
  if (Array.isArray(value['messages'])) return messageList(value['messages'])
  const { choices, generations } = value
  if (Array.isArray(choices)) return messageList(choices.map(choice => (isObject(choice) ? choice['message'] : null)))
  if (Array.isArray(generations)) return messageList(generations.flat().map(each => (isObject(each) ? (each['message'] ?? each) : null)))
  return isMessage(value) ? [value] : null
}

function isMessage(value: unknown): value is Json {
  if (!isObject(value)) return false
  return (
    typeof value['role'] === 'string' || (isObject(value['message']) && typeof value['message']['role'] === 'string') || isLangChain(value)
  )
}

/** A serialized LangChain message: `{lc, type: "constructor", id: […, "HumanMessage"], kwargs}` or `{type: "human", content}`. */
function isLangChain(value: Json): boolean {
  if (isObject(value['kwargs']) && Array.isArray(value['id'])) return /Message(?:Chunk)?$/.test(String(value['id'].at(-1)))
  return typeof value['type'] === 'string' && value['type'] in langChainRoles && 'content' in value
}

const langChainRoles: Json = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool', function: 'tool' }

function messageOf(value: Json): TraceMessage[] {
  const inner = isObject(value['message']) ? value['message'] : isObject(value['kwargs']) ? value['kwargs'] : value
  const kind = Array.isArray(value['id'])
    ? String(value['id'].at(-1))
        .replace(/Message(?:Chunk)?$/, '')
        .toLowerCase()
    : inner['type']
  const role = textOf(inner['role']) ?? textOf(langChainRoles[String(kind)]) ?? 'input'
  const parts = inner['parts'] ?? inner['content'] ?? inner['contents'] ?? ''
  const calls = [
    ...toolCalls(inner['tool_calls'] ?? inner['toolCalls']),
    ...(Array.isArray(parts) ? toolCalls(parts.filter(isToolCall)) : []),
  ]
  const { output, reasoning } = withReasoning(
    isModel(role) ? splitReasoning(contentText(parts)) : { output: contentText(parts), reasoning: null },
    thoughtOf(inner, parts),
  )
  const media = Array.isArray(parts) ? parts.flatMap(storedPartsOf) : []
  return [
    {
      role,
      content: output,
      ...(media.length > 0 ? { media } : {}),
      ...(reasoning === null ? {} : { reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

const isModel = (role: string): boolean => role === 'assistant' || role === 'model' || role === 'output'

/** Reasoning in a field of the message, or in parts of its own. */
function thoughtOf(message: Json, parts: unknown): string {
  const field = textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? textOf(message['thinking'])
  if (field !== null) return field
  if (!Array.isArray(parts)) return ''
  return parts
    .filter(isThought)
    .map(part => textOf(part['text']) ?? textOf(part['content']) ?? textOf(part['thinking']) ?? textOf(part['reasoning']) ?? '')
    .join('\n\n')
}

/** Parts of the OpenTelemetry conventions, Vercel, Anthropic, Gemini (`thought: true`); what is redacted is encrypted. */
function isThought(part: unknown): part is Json {
  return (
    isObject(part) &&
    (['reasoning', 'thinking', 'redacted_thinking', 'redacted-reasoning'].includes(String(part['type'])) || part['thought'] === true)
  )
}

function isToolCall(part: unknown): boolean {
  return isObject(part) && ['tool_call', 'tool-call', 'tool_use'].includes(String(part['type']))
}

/** Parts within parts, such as the content of a tool's result. */
const mostNested = 4

/** Text of a message's content, whether it is a text or a list of parts. */
export function contentText(content: unknown, levels = mostNested): string {
  if (!Array.isArray(content)) return asText(content)
  return content
    .flatMap(part => (isToolCall(part) || isThought(part) ? [] : [partText(part, levels)]))
    .filter(text => text !== '')
    .join('\n')
}

function partText(part: unknown, levels: number): string {
  if (!isObject(part)) return asText(part)
  const inner = isObject(part['message_content']) ? part['message_content'] : part
  const text = inner['text'] ?? inner['content']
  if (typeof text === 'string' && !isDigest(text)) return text
  if (Array.isArray(text) && levels > 0) return contentText(text, levels - 1)
  if ('result' in inner || 'response' in inner) return asText(inner['result'] ?? inner['response'])
  // Shown as the file that it is.
  if (storedPartsOf(part).length > 0) return ''
  // An image, a file: what it is, not its bytes.
  const type = textOf(inner['type'])
  return type === null ? asText(inner) : `[${type}]${addressOf(inner)}`
}

/** The stored files that a part shows; none of one that calls a tool or thinks. */
export function storedPartsOf(part: unknown): MediaPart[] {
  if (!isObject(part) || isToolCall(part) || isThought(part)) return []
  return storedParts(isObject(part['message_content']) ? part['message_content'] : part)
}

/** Where the bytes of a part are, which nothing here opens; empty where they are in the trace itself. */
function addressOf(part: Json): string {
  for (const key of ['image_url', 'image', 'audio', 'file', 'source', 'uri', 'url', 'file_url', 'file_uri', 'fileUri']) {
    const held = part[key]
    const inner = isObject(held) ? (isObject(held[key]) ? held[key] : held) : {}
    const address = textOf(held) ?? textOf(inner['url']) ?? textOf(inner['uri'])
    if (address !== null && /^[a-z][\w+.-]*:\/\//i.test(address)) return ` ${address.slice(0, 300)}`
  }
  return ''
}

function toolCalls(value: unknown): NonNullable<TraceMessage['tool_calls']> {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).flatMap(entry => {
    const call = isObject(entry['tool_call']) ? entry['tool_call'] : entry
    const named = isObject(call['function']) ? call['function'] : call
    const name = textOf(named['name']) ?? textOf(call['toolName'])
    if (name === null) return []
    const id = textOf(call['id']) ?? textOf(call['toolCallId'])
    return [{ id, name, arguments: asText(named['arguments'] ?? call['args'] ?? call['input'] ?? '') }]
  })
}
