import { z } from 'zod'
import type { Carried, ToolCall, ToolCallingMessage } from '../model-client.ts'

const Fields = z.record(z.string(), z.unknown())
/** Gemini's own server and Ollama leave the id empty or out, SGLang gives null; some give arguments as an object. */
const Call = z.looseObject({
  id: z.string().nullish().catch(null),
  function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
})

interface ReadCall {
  readonly call: ToolCall
  /** What else stood in the call, such as Gemini's `extra_content` with the signature of the thought. */
  readonly more: Readonly<Record<string, unknown>>
}

/** The calls that can be read, in their order. */
export function readToolCalls(value: unknown): ReadCall[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown) => {
    const read = Call.safeParse(each).data
    if (!read) return []
    const { id, function: asked, type: _, index: __, ...more } = read
    return [{ call: { id: id ?? '', name: asked.name, arguments: argumentsText(asked.arguments) }, more }]
  })
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

const Raw = z.object({ choices: z.array(z.object({ message: Fields.catch({}) })) })

/** What of the reply's message with tool calls is sent back beside them, as it came. */
export function carriedOf(reply: unknown, choice: number): Carried {
  const { tool_calls: calls, content, ...fields } = Raw.safeParse(reply).data?.choices[choice]?.message ?? {}
  const more = readToolCalls(calls).map(call => call.more)
  return {
    ...Object.fromEntries(carriedFields.flatMap(name => (fields[name] == null ? [] : [[name, fields[name]]]))),
    // Mistral's parts hold signed thoughts; without text, null is what most servers say and all take.
    ...(Array.isArray(content) || content === null ? { content } : {}),
    ...(more.some(each => Object.keys(each).length > 0) ? { tool_calls: more } : {}),
  }
}

const CarriedChat = z.looseObject({ tool_calls: z.array(Fields).default([]) })

/** The message as it came, with the calls as the conversation has them. */
export function toolCallingMessage(
  { content, toolCalls, carried = {} }: Pick<ToolCallingMessage, 'toolCalls' | 'carried'> & { readonly content: string | object[] },
  thought: object = {},
): object {
  const { tool_calls: more, ...fields } = CarriedChat.parse(carried)
  const calls = toolCalls.map(({ id, name, arguments: given }, i) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
    ...more[i],
  }))
  return { role: 'assistant', content, ...thought, ...fields, tool_calls: calls }
}
