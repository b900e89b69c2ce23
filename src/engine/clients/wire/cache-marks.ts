import type { ConnectionProtocol } from '../../../contract/connections/connections.schemas.ts'

type Block = Readonly<Record<string, unknown>>
interface Message extends Block {
  readonly content: string | readonly Block[]
}
interface Body extends Block {
  readonly system?: string
  readonly tools?: readonly Block[]
  readonly messages: readonly Message[]
}

/** Kept for five minutes, and again from each use. */
const mark = { cache_control: { type: 'ephemeral' } } as const

/**
 * A body of Anthropic's messages with the end of what its calls share marked, so that the provider caches all before it: the tools and the
 * system prompt, which a run's calls share, and the conversation up to the model's last message, which the next turn of an episode repeats
 * and worked examples given as turns share. Two marks of the four that a request may have; what is shorter than the provider's minimum
 * (1,024 to 4,096 tokens) it leaves uncached.
 */
export function markSharedPrefix(body: Body): Block {
  const { system, tools, messages } = body
  const last = tools?.at(-1)
  return {
    ...body,
    ...(system !== undefined && { system: [{ type: 'text', text: system, ...mark }] }),
    ...(system === undefined && tools && last && { tools: [...tools.slice(0, -1), { ...last, ...mark }] }),
    messages: markLastAnswer(messages),
  }
}

function markLastAnswer(messages: readonly Message[]): readonly Message[] {
  const place = messages.findLastIndex(message => message['role'] === 'assistant')
  return messages.map((message, i) => (i === place ? { ...message, content: markLastBlock(message.content) } : message))
}

/** Empty texts and thoughts take no mark. */
function markLastBlock(content: Message['content']): Message['content'] {
  if (typeof content === 'string') return content === '' ? content : [{ type: 'text', text: content, ...mark }]
  const last = content.at(-1)
  if (!last || !['text', 'tool_use'].includes(String(last['type'])) || last['text'] === '') return content
  return [...content.slice(0, -1), { ...last, ...mark }]
}

export type CacheMark = 'cache_control' | 'prompt_cache_breakpoint'

/** Sources: section 7 of provider-facts; `prompt_cache_breakpoint` in openai-python, 2026-08; cache_control in help.aliyun.com's “Context Cache”. */
const marks: { readonly [Name in CacheMark]: Block } = {
  ...mark,
  prompt_cache_breakpoint: { mode: 'explicit' },
}

/**
 * OpenAI would also cache up to the newest message, which single questions never share and which it bills at 1.25 of input. Qwen leaves its
 * own caching by itself where a request is marked.
 */
export const markOptions = (mark: CacheMark): Block =>
  mark === 'prompt_cache_breakpoint' ? { prompt_cache_options: { mode: 'explicit' } } : {}

/** `gpt-5.6-sol`, `openai/gpt-6`; neither `gpt-35-turbo`, which is Azure's 3.5, nor `gpt-oss-20b`. */
const gptVersion = /(?:^|\/)gpt-(\d)(?:\.(\d+))?(?![\d.])/i
/** As Model Studio names its models; those of open weights have an owner or a tag. */
const hostedQwen = /^qwen[^/:]*$/i

/** How an endpoint takes marks for its prompt cache; null: it takes none, or caches by itself alone. */
export function cacheMarkOf(protocol: ConnectionProtocol, model: string): CacheMark | null {
  if (protocol === 'anthropic_messages') return 'cache_control'
  if (protocol === 'openai_chat' && hostedQwen.test(model)) return 'cache_control'
  if (protocol !== 'openai_chat' && protocol !== 'openai_responses') return null
  const [, major, minor = '0'] = gptVersion.exec(model) ?? []
  return major !== undefined && Number(major) * 100 + Number(minor) >= 506 ? 'prompt_cache_breakpoint' : null
}

/**
 * A list of chat messages or of response items with marks at the end of the system prompt and of what precedes each of the model's last two
 * messages, for the same reason as above: what the model itself said takes no mark. OpenAI finds a prefix only where the request marks its
 * end, so the mark of the turn before stays beside the new one. Three marks of the four that a request may have.
 */
export function markTurns(turns: readonly Block[], name: CacheMark, textType: 'text' | 'input_text'): readonly Block[] {
  const isModels = (turn: Block | undefined) =>
    turn?.['role'] === 'assistant' || ['function_call', 'reasoning'].includes(String(turn?.['type']))
  const isSystem = (turn: Block | undefined) => turn?.['role'] === 'system'
  const ends = turns.flatMap((turn, i) => (!isModels(turn) && isModels(turns[i + 1]) ? [i] : []))
  const marked = new Set([turns.findLastIndex(isSystem), ...ends.slice(-2)])
  return turns.map((turn, i) => (marked.has(i) ? markContent(turn, { [name]: marks[name] }, textType) : turn))
}

/** A tool's result is the `output` of its item in responses. */
function markContent(turn: Block, marking: Block, type: string): Block {
  const field = 'output' in turn ? 'output' : 'content'
  const content = turn[field]
  if (typeof content === 'string') return content === '' ? turn : { ...turn, [field]: [{ type, text: content, ...marking }] }
  if (!Array.isArray(content) || content.length === 0) return turn
  // Bodies are made of objects; `unknown` is what TypeScript keeps of an array here.
  const blocks: readonly Block[] = content
  return { ...turn, [field]: [...blocks.slice(0, -1), { ...blocks.at(-1), ...marking }] }
}
