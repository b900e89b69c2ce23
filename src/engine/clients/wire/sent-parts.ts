import type { ConnectionProtocol } from '../../../contract/connections/connections.schemas.ts'
import type { MediaPart, Message, Part } from '../../../contract/messages/messages.schemas.ts'
import type { Turn } from '../model-client.ts'

const roles = ['system', 'user', 'assistant', 'tool'] as const
const partTypes = ['image', 'audio', 'document', 'reasoning'] as const

/** `gguf_file`: a model of a file, which is not a server. */
export type SpokenProtocol = ConnectionProtocol | 'agent_to_agent' | 'gguf_file'
type Kinds = Readonly<Partial<Record<Message['role'], readonly Part['type'][]>>>

/** Parts beside text that each protocol has a form for, by the role of their message. Tool calls and results are below. */
const kinds: Readonly<Record<SpokenProtocol, Kinds>> = {
  openai_chat: { user: ['image', 'audio', 'document'] },
  openai_responses: { user: ['image', 'document'], tool: ['image', 'document'] },
  openai_completions: {},
  openai_embeddings: {},
  anthropic_messages: { user: ['image', 'document'], assistant: ['reasoning'], tool: ['image', 'document'] },
  gemini: { user: ['image', 'audio', 'document'], assistant: ['image', 'audio', 'reasoning'] },
  ollama: { user: ['image'], assistant: ['reasoning'] },
  llama_cpp: { user: ['image', 'audio'], assistant: ['reasoning'] },
  vllm: { user: ['image', 'audio'], assistant: ['reasoning'] },
  agent_to_agent: {},
  gguf_file: {},
}

const withoutTools: ReadonlySet<SpokenProtocol> = new Set(['openai_completions', 'openai_embeddings', 'agent_to_agent', 'gguf_file'])

/** Protocols whose tool calls have an object of arguments, not its text. */
const objectArguments: ReadonlySet<SpokenProtocol> = new Set(['anthropic_messages', 'gemini', 'ollama'])

const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** Types that a protocol's servers decode, where they are fewer than Assay stores. */
const mediaTypes: Readonly<Partial<Record<SpokenProtocol, readonly string[]>>> = {
  openai_chat: [...pictures, 'audio/wav', 'audio/mpeg', 'application/pdf'],
  // stb_image, which decodes there, reads no WebP.
  llama_cpp: ['image/png', 'image/jpeg', 'image/gif', 'audio/wav', 'audio/mpeg'],
  ollama: ['image/png', 'image/jpeg', 'image/webp'],
  gemini: ['image/png', 'image/jpeg', 'image/webp', 'audio/wav', 'audio/mpeg', 'audio/flac', 'application/pdf'],
}

const names: Readonly<Record<Part['type'], string>> = {
  text: 'text',
  image: 'images',
  audio: 'audio',
  document: 'documents',
  reasoning: 'earlier reasoning',
  tool_call: 'tool calls',
  tool_result: 'tool results',
}

/** Of these a message of the user or of another role is named with it. */
const whose: Readonly<Record<Message['role'], string>> = {
  system: ' in a system prompt',
  user: '',
  assistant: ' of the model',
  tool: ' in a tool result',
}

/** What a protocol has no form for, as in "takes no documents"; null for what it has. */
export function partFault(protocol: SpokenProtocol, role: Message['role'], part: Part): string | null {
  if (part.type === 'text') return null
  if (part.type === 'tool_call' || part.type === 'tool_result') return withoutTools.has(protocol) ? 'no tool calls in a conversation' : null
  if (!kinds[protocol][role]?.includes(part.type)) return `no ${names[part.type]}${part.type === 'reasoning' ? '' : whose[role]}`
  const isUnsigned = part.type === 'reasoning' && part.redacted !== true && part.signature === undefined
  return isUnsigned && protocol === 'anthropic_messages' ? 'no earlier reasoning without its signature' : null
}

/** As `partFault`, of a part as `TaskShape` names it. */
export function shapeFault(protocol: SpokenProtocol, part: string): string | null {
  const [role, type] = part.split('/')
  if (type === 'unsigned_reasoning' && protocol === 'anthropic_messages') return 'no earlier reasoning without its signature'
  if (type === 'tool_call' || type === 'tool_result' || type === 'unparsed_tool_call') {
    if (withoutTools.has(protocol)) return 'no tool calls in a conversation'
    return type === 'unparsed_tool_call' && objectArguments.has(protocol) ? 'no tool call whose arguments are not a JSON object' : null
  }
  const kind = type === 'unsigned_reasoning' ? 'reasoning' : type
  const said = roles.find(one => one === role)
  if (said === undefined || kinds[protocol][said]?.some(taken => taken === kind)) return null
  const named = partTypes.find(one => one === kind)
  return `no ${named ? names[named] : kind}${kind === 'reasoning' ? '' : whose[said]}`
}

/** Kinds of files that a protocol has a form for in messages of a user. */
export function filesSentBy(protocol: SpokenProtocol): MediaPart['type'][] {
  return (['image', 'audio', 'document'] as const).filter(kind => kinds[protocol].user?.includes(kind))
}

/** What a protocol's servers cannot read of a media type; null for what they can. */
export function mediaTypeFault(protocol: SpokenProtocol, mediaType: string): string | null {
  const taken = mediaTypes[protocol]
  return taken === undefined || taken.includes(mediaType) ? null : `no ${mediaType}`
}

/** The first of what a protocol has no form for in a request; null where it can send everything. */
export function requestFault(protocol: SpokenProtocol, turns: readonly Turn[]): string | null {
  for (const { role, content } of turns) {
    if (!Array.isArray(content)) continue
    for (const part of content) {
      const fault = partFault(protocol, role, part)
      if (fault !== null) return fault
    }
  }
  return null
}
