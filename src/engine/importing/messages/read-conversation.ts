import { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { contentText } from '../../../contract/messages/message-text.ts'
import {
  Conversation,
  type MediaPart,
  type Message,
  type Part,
  partsOf,
  unnamedDocument,
} from '../../../contract/messages/messages.schemas.ts'
import { RowError } from '../files/row.ts'

/** A picture, recording or document of a message, as its file refers to it. */
export interface FoundMedia {
  readonly kind: MediaPart['type']
  /** A data URI, base64, an address or a path. */
  readonly reference: string
  /** As the file states it; the bytes decide. */
  readonly mediaType?: string | undefined
}

/** Keeps a media file and gives its digest. @throws RowError where it cannot be taken */
export type TakeMedia = (found: FoundMedia) => string

export interface ReadConversation {
  /** Ends with what the model answers. */
  readonly messages: readonly Message[]
  /** The answer that stood at its end; null where it ends with a question. */
  readonly answer: string | null
  /** Parts of the type `data`, which only their provider can read: they are left out. */
  readonly left: number
}

const Raw = z.looseObject({
  role: z.string().optional(),
  from: z.string().optional(),
  content: z.unknown().optional(),
  value: z.unknown().optional(),
  name: z.string().nullish().catch(null),
  function: z.string().nullish().catch(null),
  tool_call_id: z.string().nullish().catch(null),
  tool_calls: z.array(z.looseObject({})).nullish().catch(null),
  function_call: z.looseObject({ name: z.string() }).nullish().catch(null),
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  error: z.unknown().optional(),
})
type Raw = z.infer<typeof Raw>
const RawPart = z.looseObject({ type: z.string().optional() })
type RawPart = z.infer<typeof RawPart>

const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  gpt: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  chatgpt: 'assistant',
  function_call: 'assistant',
  tool: 'tool',
  function: 'tool',
  observation: 'tool',
  tool_response: 'tool',
}

/** Whether a value is a list of messages in a form that other tools write: `role` and `content`, or ShareGPT's `from` and `value`. */
export function isConversation(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(item => {
      const { success, data } = Raw.safeParse(item)
      return (
        success &&
        ((data.role !== undefined && ('content' in data || 'tool_calls' in data)) || (data.from !== undefined && 'value' in data))
      )
    })
  )
}

/** The messages that a text holds as JSON, as tables without lists have them; any other value as it is. */
export function conversationIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[\s*\{/.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isConversation(parsed) ? parsed : value
  } catch {
    return value
  }
}

/**
 * A conversation of OpenAI, Anthropic, Inspect or ShareGPT. An answer at its end is taken off.
 * @param name of the field, for errors
 * @throws RowError for what is not a conversation, or has a part that cannot be kept
 */
export function readConversation(value: unknown, name: string, take: TakeMedia = noMedia(name)): ReadConversation {
  if (!isConversation(value)) throw new RowError(`The list "${name}" must contain messages with "role" and "content".`)
  const reader = new Reader(name, take)
  const all = z
    .array(Raw)
    .parse(value)
    .flatMap((raw, i) => reader.read(raw, i))
  const last = all.at(-1)
  const isAnswered = last?.role === 'assistant'
  const messages = isAnswered ? all.slice(0, -1) : all
  if (messages.length === 0) throw new RowError(`The conversation in "${name}" has an answer and no question.`)
  const checked = checkConversation(messages, name)
  if (contentText(messages.at(-1)?.content ?? '').trim() === '' && partsOf(messages.at(-1) ?? { content: '' }).every(isText))
    throw new RowError(`The last message of "${name}" is empty.`)
  return { messages: checked, answer: isAnswered ? contentText(last.content) : null, left: reader.left }
}

/** @throws RowError for what cannot be asked: too many parts or files, or no question at its end */
export function checkConversation(messages: readonly Message[], name: string): readonly Message[] {
  const parsed = Conversation.safeParse(messages)
  if (!parsed.success) throw new RowError(`The conversation in "${name}": ${describeFirst(parsed.error.issues, 'it')}.`)
  return parsed.data
}

/** What a task is asked with: a single message of plain text is an ordinary question. */
export function taskInput(
  messages: readonly Message[],
  field = 'input',
): { fields: Record<string, string>; conversations?: Record<string, Message[]> } {
  const [only, other] = messages
  const fields = { [field]: contentText(messages.at(-1)?.content ?? '') }
  if (only?.role === 'user' && other === undefined && typeof only.content === 'string') return { fields }
  checkConversation(messages, field)
  return { fields, conversations: { [field]: [...messages] } }
}

/** Of what is said beside a file. */
const mostCharacters = 10_000

/** @param parts that were left out of messages; more than none */
export function describeLeft(parts: number): string {
  return `${parts === 1 ? 'one part' : `${parts.toLocaleString('en')} parts`} of the type "data", which only their provider can read, ${parts === 1 ? 'was' : 'were'} left out`
}

const isText = ({ type }: Part): boolean => type === 'text' || type === 'tool_result'

function noMedia(name: string): TakeMedia {
  return ({ kind }) => {
    throw new RowError(
      `A message of "${name}" contains ${kind === 'document' ? 'a document' : kind === 'audio' ? 'audio' : 'an image'}, which this import cannot keep.`,
    )
  }
}

class Reader {
  readonly #name: string
  readonly #take: TakeMedia
  /** Ids of tool calls that no message has answered so far, for formats without ids. */
  readonly #open: string[] = []
  #calls = 0
  /** Parts that were left out. */
  left = 0

  constructor(name: string, take: TakeMedia) {
    this.#name = name
    this.#take = take
  }

  read(raw: Raw, index: number): Message[] {
    const said = raw.role ?? raw.from ?? ''
    const role = roles[said.toLowerCase()]
    if (!role) throw new RowError(`Message ${index + 1} of "${this.#name}" has the unknown role "${said.slice(0, 40)}".`)
    const content = raw.from === undefined || raw.role !== undefined ? raw.content : raw.value
    if (raw.from === 'function_call') return [{ role, content: [this.#call(jsonIn(content))] }]
    if (role === 'tool') return [this.#result(raw.tool_call_id ?? null, content, raw.name ?? raw.function ?? null, raw.error != null)]
    const served = Array.isArray(content) ? content.findIndex(isServedCall) : -1
    if (Array.isArray(content) && served !== -1) return this.#served(raw, content, served, index)
    const results = Array.isArray(content) ? content.filter(isToolResult) : []
    const rest = results.length > 0 && Array.isArray(content) ? content.filter(part => !isToolResult(part)) : content
    const answers = results.map(part => this.#result(textOf(part['tool_use_id']), part['content'], null, part['is_error'] === true))
    if (answers.length > 0 && Array.isArray(rest) && rest.length === 0) return answers
    const parts = this.#parts(raw, rest, role)
    const named = raw.name ? { name: raw.name } : {}
    return [...answers, { role, content: plain(parts), ...named }]
  }

  /** A call that the provider itself made, as Inspect writes it: with its result, in the midst of the answer. */
  #served(raw: Raw, content: readonly unknown[], at: number, index: number): Message[] {
    const { [at]: served } = content
    const part = objectOf(served)
    const [before, after] = [content.slice(0, at), content.slice(at + 1)]
    const spoken = (parts: readonly unknown[], more: object): Message[] => this.read({ ...raw, ...more, content: parts }, index)
    const name = textOf(part['name'])
    return [
      ...spoken([...before, { ...part, tool_type: undefined }], { tool_calls: null }),
      this.#result(textOf(part['id']), part['error'] ?? part['result'] ?? '', name, part['error'] != null),
      ...(after.length > 0 || (raw.tool_calls ?? []).length > 0 ? spoken(after, { reasoning: null, reasoning_content: null }) : []),
    ]
  }

  #parts(raw: Raw, content: unknown, role: Message['role']): Part[] {
    const thought = raw.reasoning_content ?? raw.reasoning
    const calls = [...(raw.tool_calls ?? []), ...(raw.function_call ? [{ function: raw.function_call }] : [])]
    return [
      ...(role === 'assistant' && thought ? [{ type: 'reasoning' as const, text: thought }] : []),
      ...this.#content(content),
      ...calls.map(call => this.#call(call)),
    ]
  }

  #content(content: unknown): Part[] {
    if (content === null || content === undefined) return []
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
    const parts = z.array(z.union([z.string(), RawPart])).safeParse(Array.isArray(content) ? content : [content])
    if (!parts.success) throw new RowError(`A message of "${this.#name}" has content that is neither text nor a list of parts.`)
    return parts.data.flatMap(part => (typeof part === 'string' ? [{ type: 'text' as const, text: part }] : this.#part(part)))
  }

  #part(part: RawPart): Part[] {
    const { type = untyped(part) } = part
    switch (type) {
      case 'text':
      case 'input_text':
      case 'output_text':
      case 'refusal': {
        const text = textOf(part['text']) ?? textOf(part['refusal'])
        if (text === null)
          throw new RowError(
            `Write the parts of the messages in "${this.#name}" as {"type": "text", "text": …}: one has ${Object.keys(part).slice(0, 5).join(', ').slice(0, 100) || 'nothing'}.`,
          )
        return [{ type: 'text', text }]
      }
      case 'thinking':
      case 'reasoning':
        return [
          {
            type: 'reasoning',
            text: textOf(part['thinking']) ?? textOf(part['reasoning']) ?? textOf(part['text']) ?? '',
            ...(part['redacted'] === true && { redacted: true }),
            ...(typeof part['signature'] === 'string' && { signature: part['signature'] }),
          },
        ]
      case 'tool_use':
      case 'tool_call':
      case 'tool-call':
        return [this.#call(part)]
      case 'image':
      case 'image_url':
      case 'input_image': {
        const detail = z.enum(['low', 'high', 'auto']).safeParse(objectOf(part['image_url'])['detail'] ?? part['detail']).data
        const alt = textOf(part['alt']) ?? textOf(part['alt_text'])
        return [
          {
            type: 'image',
            media: this.#media('image', part, ['media', 'image_url', 'image', 'source', 'url']),
            ...(detail && { detail }),
            ...(alt && { alt: alt.slice(0, mostCharacters) }),
          },
        ]
      }
      case 'audio':
      case 'input_audio': {
        const transcript = textOf(part['transcript'])
        return [
          {
            type: 'audio',
            media: this.#media('audio', part, ['media', 'input_audio', 'audio', 'source']),
            ...(transcript && { transcript: transcript.slice(0, mostCharacters) }),
          },
        ]
      }
      case 'file':
      case 'document':
      case 'input_file': {
        const title =
          textOf(part['filename']) ??
          textOf(part['title']) ??
          textOf(objectOf(part['file'])['filename']) ??
          textOf(objectOf(part['document'])['name'])
        return [
          {
            type: 'document',
            media: this.#media('document', part, ['media', 'file', 'document', 'source', 'file_data']),
            ...(title && title !== unnamedDocument && { title: title.slice(0, 200) }),
          },
        ]
      }
      // What a provider keeps for itself, and no model is shown.
      case 'data':
        this.left++
        return []
      case 'video':
      case 'video_url':
      case 'input_video':
        throw new RowError(`A message of "${this.#name}" contains a video, which is not supported. Use single frames as images.`)
      default:
        throw new RowError(`A message of "${this.#name}" has a part of the unknown type "${type.slice(0, 40)}".`)
    }
  }

  #media(kind: MediaPart['type'], part: RawPart, keys: readonly string[]): string {
    const found = keys.map(key => part[key]).find(value => value !== undefined && value !== null)
    const inner = objectOf(found)
    const reference =
      textOf(found) ??
      ['data', 'url', 'file_data', 'path', 'file_id', 'bytes']
        .map(key => textOf(inner[key]) ?? textOf(objectOf(inner['source'])[key]))
        .find(text => text !== null)
    if (reference == null) throw new RowError(`A part of type "${part.type ?? ''}" in "${this.#name}" does not say where its file is.`)
    const format = textOf(inner['media_type']) ?? textOf(inner['format']) ?? textOf(part['mime_type']) ?? textOf(part['format'])
    return this.#take({
      kind,
      reference,
      mediaType: format?.includes('/') === false ? `${kind === 'document' ? 'application' : kind}/${format}` : (format ?? undefined),
    })
  }

  /** OpenAI's `{id, function: {name, arguments}}`, Inspect's `{id, function, arguments}`, Anthropic's `{id, name, input}`. */
  #call(value: unknown): Extract<Part, { type: 'tool_call' }> {
    const call = objectOf(value)
    const inner = typeof call['function'] === 'object' && call['function'] !== null ? objectOf(call['function']) : call
    const name = textOf(inner['name']) ?? textOf(call['function'])
    if (name === null || name === '') throw new RowError(`A tool call in "${this.#name}" has no name.`)
    const given = inner['arguments'] ?? inner['input'] ?? inner['parameters'] ?? {}
    const id = textOf(call['id']) ?? textOf(call['call_id']) ?? `call_${this.#calls + 1}`
    this.#calls++
    this.#open.push(id)
    // Some write no arguments as no text, which servers that parse it refuse.
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    return { type: 'tool_call', id, name, arguments: text.trim() === '' ? '{}' : text }
  }

  #result(id: string | null, content: unknown, name: string | null, isError: boolean): Message {
    const answered = id ?? this.#open[0]
    if (answered === undefined) throw new RowError(`A tool message of "${this.#name}" answers no tool call.`)
    const at = this.#open.indexOf(answered)
    if (at !== -1) this.#open.splice(at, 1)
    const parts = this.#content(
      typeof content === 'object' && content !== null && !Array.isArray(content) ? JSON.stringify(content) : content,
    )
    const said = isError
      ? parts.map(part => (part.type === 'text' ? { type: 'tool_result' as const, content: part.text, is_error: true } : part))
      : parts
    return { role: 'tool', tool_call_id: answered, content: isError && said.length > 0 ? said : plain(said), ...(name ? { name } : {}) }
  }
}

/** The kind of a part that names none, as Bedrock's, which have one key. */
function untyped(part: RawPart): string {
  return ['image', 'document'].find(kind => typeof part[kind] === 'object' && part[kind] !== null) ?? 'text'
}

/** A plain string where there is text alone. */
function plain(parts: readonly Part[]): Message['content'] {
  const texts = parts.map(part => (part.type === 'text' ? part.text : null))
  return texts.every(text => text !== null) ? texts.join('') : [...parts]
}

function isServedCall(part: unknown): boolean {
  const { type, tool_type: kind } = objectOf(part)
  return type === 'tool_use' && typeof kind === 'string'
}

function isToolResult(part: unknown): part is RawPart {
  return objectOf(part)['type'] === 'tool_result'
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return {}
  }
}
