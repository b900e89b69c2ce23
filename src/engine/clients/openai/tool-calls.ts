import { z } from 'zod'
import { splitReasoning } from '../../../lib/split-reasoning.ts'
import type { Carried, ToolCall, ToolCallingMessage } from '../model-client.ts'

const Fields = z.record(z.string(), z.unknown())
/** Gemini's own server and Ollama leave the id empty or out, SGLang gives null; some give arguments as an object. */
const Asked = z.looseObject({ name: z.string(), arguments: z.unknown().optional() })
const Nested = z.looseObject({ id: z.string().nullish().catch(null), function: Asked })
/** Cohere's and older servers' calls have no object within. */
const Flat = Asked.extend({ id: z.string().nullish().catch(null) }).transform(({ name, arguments: given, ...call }) => ({
  ...call,
  function: { name, arguments: given },
}))
const Call = z.union([Nested, Flat])

interface ReadCall {
  readonly call: ToolCall
  /** What else stood in the call, such as Gemini's `extra_content` with the signature of the thought. */
  readonly more: Readonly<Record<string, unknown>>
}

/** The calls that can be read, in their order; a server that knows one only sends no list. */
export function readToolCalls(value: unknown): ReadCall[] {
  if (value == null) return []
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.flatMap(each => {
    const read = Call.safeParse(each).data
    if (!read) return []
    const { id, function: asked, ...besides } = read
    const more = Object.fromEntries(Object.entries(besides).filter(([name]) => name !== 'type' && name !== 'index'))
    const { name, arguments: given, ...within } = asked
    const carried = Object.keys(within).length === 0 ? more : { ...more, function: within }
    return [{ call: { id: id ?? '', name, arguments: argumentsText(given) }, more: carried }]
  })
}

const text = z.string().nullish().catch(null)
const Piece = z.looseObject({
  index: z.int().nullish().catch(null),
  id: text,
  function: z.looseObject({ name: text, arguments: z.unknown().optional() }).nullish().catch(null),
})

/** Puts the tool calls of a stream together. */
export class ToolCallPieces {
  readonly #calls: { id: string | null; name: string | null; given: string[]; more: object; within: object }[] = []
  /** What each index, or each id where there is no index, belongs to. */
  readonly #places = new Map<number | string, number>()

  get isEmpty(): boolean {
    return this.#calls.length === 0
  }

  add(value: unknown): void {
    for (const each of Array.isArray(value) ? value : [value]) {
      const piece = Piece.safeParse(each).data
      if (piece) this.#join(piece)
    }
  }

  /** As a whole reply has them; null where none came. */
  get whole(): object[] | null {
    const calls = this.#calls.map(({ id, name, given, more, within }) => ({
      ...more,
      id,
      function: { ...within, name, arguments: given.join('') },
    }))
    return this.isEmpty ? null : calls
  }

  #join({ index, id, function: asked, type: _, ...more }: z.infer<typeof Piece>): void {
    const { name, arguments: given, ...within } = asked ?? {}
    const place = index ?? (id || null)
    // Without id and name a piece begins no call: Nebius and Cerebras count the index up with each.
    const at = (place === null ? undefined : this.#places.get(place)) ?? (id || name ? undefined : this.#calls.length - 1)
    const found = this.#calls[at ?? -1]
    // Gemini gives each of several calls the index 0 and an id of its own. Servers that give each piece another id name the first alone.
    const isOther = Boolean(name && id && found?.id && id !== found.id)
    const call = found && !isOther ? found : { id: null, name: null, given: [], more: {}, within: {} }
    if (call !== found) {
      this.#calls.push(call)
      if (place !== null) this.#places.set(place, this.#calls.length - 1)
    }
    call.id ||= id ?? null
    call.name ||= name ?? null
    if (given != null) call.given.push(argumentsText(given))
    Object.assign(call.more, more)
    Object.assign(call.within, within)
  }
}

/** Arguments as JSON text, however a server gives them. */
export const argumentsText = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given ?? {}))

/** Fields that a server which writes them may demand back: DeepSeek, Moonshot, vLLM, OpenRouter, LiteLLM, Gemini. */
const carriedFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
  'provider_specific_fields',
]

const thoughtFields = ['text', 'summary', 'thinking'] as const

/** Adds a piece of a message to what of it is asked back: texts and lists grow, of anything else the last counts. */
export function addCarried(kept: Record<string, unknown>, piece: Readonly<Record<string, unknown>>): void {
  for (const name of carriedFields) {
    const [before, value] = [kept[name], piece[name]]
    if (value == null || value === '') continue
    if (Array.isArray(value)) kept[name] = value.reduce(withBlock, Array.isArray(before) ? before : [])
    else kept[name] = joined(before, value)
  }
}

const joined = (before: unknown, value: unknown): unknown =>
  typeof before === 'string' && typeof value === 'string' ? before + value : (value ?? before)

/** A block of thoughts comes in pieces, its signature last. */
function withBlock(blocks: unknown[], piece: unknown): unknown[] {
  const [last, next] = [Fields.safeParse(blocks.at(-1)).data, Fields.safeParse(piece).data]
  const part = thoughtFields.find(name => typeof last?.[name] === 'string')
  if (!part || !last || !next || last['signature'] || last['type'] !== next['type'] || last['index'] !== next['index']) blocks.push(piece)
  else blocks[blocks.length - 1] = { ...last, ...next, [part]: joined(last[part], next[part]) }
  return blocks
}

const Raw = z.object({ choices: z.array(z.object({ message: Fields.catch({}) })) })

/** The part of the reply's message with tool calls that is sent back beside them, as it came. */
export function carriedOf(reply: unknown, choice: number): Carried {
  const { tool_calls: calls, content, ...fields } = Raw.safeParse(reply).data?.choices[choice]?.message ?? {}
  const more = readToolCalls(calls).map(call => call.more)
  return {
    ...Object.fromEntries(carriedFields.flatMap(name => (fields[name] == null ? [] : [[name, fields[name]]]))),
    // Mistral's parts hold signed thoughts; MiniMax demands those in the text back; without text, null is what most servers say and all take.
    ...(Array.isArray(content) || content === null || holdsThought(content) ? { content } : {}),
    ...(more.some(each => Object.keys(each).length > 0) ? { tool_calls: more } : {}),
  }
}

const holdsThought = (content: unknown): boolean => typeof content === 'string' && splitReasoning(content).reasoning !== null

const CarriedChat = z.looseObject({ tool_calls: z.array(Fields).default([]) })

/** The message as it came, with the calls as the conversation has them. */
export function toolCallingMessage(
  { content, toolCalls, carried = {} }: Pick<ToolCallingMessage, 'toolCalls' | 'carried'> & { readonly content: string | object[] },
  thought: object = {},
): object {
  const { tool_calls: more, ...fields } = CarriedChat.parse(carried)
  const calls = toolCalls.map(({ id, name, arguments: given }, i) => {
    const { function: within, ...besides } = more[i] ?? {}
    return { id, type: 'function', function: { ...Fields.safeParse(within).data, name, arguments: given }, ...besides }
  })
  return { role: 'assistant', content, ...thought, ...fields, tool_calls: calls }
}
