import { z } from 'zod'
import { contentText } from '../../../contract/messages/message-text.ts'
import { isMediaPart, partsOf } from '../../../contract/messages/messages.schemas.ts'
import { textBytes } from '../tokens/text-bytes.ts'
import type { MediaLookup } from './media-lookup.ts'
import type { ModelRequest, ToolCall, Turn } from '../model-client.ts'
import { effortDropped, effortsOf } from '../efforts.ts'
import { argumentsText } from '../openai/tool-calls.ts'
import { parametersSchema } from './json-schema.ts'
import { readUsage } from '../usage/read-usage.ts'
import { bearer, wireAnswer, type WireProtocol, type WireRequest } from './wire-protocol.ts'

const Reply = z.object({
  message: z.object({
    content: z.string().nullish(),
    thinking: z.string().nullish().catch(null),
    tool_calls: z
      .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown().optional() }) }))
      .nullish()
      .catch(null),
  }),
  model: z.string().nullish().catch(null),
  done: z.boolean().nullish().catch(null),
  done_reason: z.string().nullish(),
})

/** Ollama's context length on machines with little memory. */
const leastContext = 4096

/**
 * Ollama's own `POST /api/chat`. The base URL is the server's root, e.g. `http://127.0.0.1:11434`. Its default context length depends on the
 * machine, so each request states what it needs. A server loads the model again for another length; hence a client's grows, in powers of two,
 * and never shrinks.
 */
export function ollama(): WireProtocol {
  let context = leastContext
  return {
    ...protocol,
    request: (request, model, media) => {
      while (context < contextNeed(request)) context *= 2
      return requestOf(request, model, context, media)
    },
  }
}

/** Tokens of prompt and answer, with a margin for other tokenizers. */
function contextNeed({ messages, tools, maxOutputTokens }: ModelRequest): number {
  const bytes = messages.reduce((sum, { content }) => sum + textBytes(content), tools ? Buffer.byteLength(JSON.stringify(tools)) : 0)
  const images = messages.flatMap(turn => partsOf(turn).filter(isMediaPart)).length
  return Math.ceil(bytes / bytesPerToken) + messages.length * tokensPerMessage + images * tokensPerImage + maxOutputTokens
}

/** Few scripts have fewer bytes a token. */
const bytesPerToken = 3
const tokensPerMessage = 16
/** No model that Ollama runs has more for a picture of usual size (Qwen2.5-VL cuts at 1,280 by its default; Gemma 3 has 256). */
const tokensPerImage = 2048

const protocol: Omit<WireProtocol, 'request'> = {
  title: 'Ollama',
  headers: bearer,
  read: value => {
    const reply = Reply.safeParse(value)
    if (!reply.success) return { ok: false, problem: 'is no chat reply of Ollama: “message” is missing or of the wrong type' }
    const { message, model, done, done_reason: finishReason = null } = reply.data
    if (done === false) return { ok: false, problem: 'is a piece of an answer, its “done” false' }
    return wireAnswer({
      output: message.content ?? '',
      reasoning: message.thinking,
      finishReason,
      refused: false,
      servedModel: model,
      ...readUsage(value),
      toolCalls: (message.tool_calls ?? []).map(call => ({
        id: '',
        name: call.function.name,
        arguments: argumentsText(call.function.arguments),
      })),
      carried: message.thinking ? { thinking: message.thinking } : {},
    })
  },
}

function requestOf(
  { messages, maxOutputTokens, temperature, stop, tools, effort }: ModelRequest,
  model: string,
  context: number,
  media: MediaLookup,
): WireRequest {
  return {
    path: '/api/chat',
    body: {
      model,
      messages: withPlainResults(messages).map(turn => messageOf(turn, media)),
      stream: false,
      // By default a prompt beyond the context is truncated silently; this makes the server report an error.
      truncate: false,
      shift: false,
      ...(effort === undefined || !effortsOf.ollama.includes(effort) ? {} : { think: effort === 'none' ? false : effort }),
      ...(tools
        ? {
            tools: tools.map(tool => ({
              type: 'function',
              function: { name: tool.name, description: tool.description, parameters: parametersSchema(tool) },
            })),
          }
        : {}),
      options: {
        num_predict: maxOutputTokens,
        num_ctx: context,
        ...(temperature === null ? {} : { temperature }),
        ...(stop.length === 0 ? {} : { stop }),
      },
    },
    notes: effortDropped(effort ? { effort } : {}, 'Ollama', effortsOf.ollama),
  }
}

/** Results have no id there: those of one turn follow in the order of their calls, each with the name of its tool. */
function withPlainResults(turns: readonly Turn[]): Turn[] {
  const sent: Turn[] = []
  let calls: readonly ToolCall[] = []
  let results: Extract<Turn, { role: 'tool' }>[] = []
  const flush = (): void => {
    const places = results.map(({ toolCallId }) => calls.findIndex(({ id }) => id !== '' && id === toolCallId))
    const inOrder = places.includes(-1)
      ? results
      : results
          .map((result, i) => ({ result, place: places[i] ?? 0 }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ result }) => result)
    for (const result of inOrder) {
      const name = result.name ?? calls.find(({ id }) => id !== '' && id === result.toolCallId)?.name
      sent.push(name === undefined ? result : { ...result, name })
    }
    results = []
  }
  for (const turn of turns) {
    if (turn.role === 'tool') results.push(turn)
    else {
      flush()
      sent.push(turn)
      if ('toolCalls' in turn) calls = turn.toolCalls
    }
  }
  flush()
  return sent
}

/** Pictures are beside the text, which is where Ollama's templates put them before it. */
function messageOf(turn: Turn, media: MediaLookup): object {
  const parts = typeof turn.content === 'string' ? [] : turn.content
  const images = parts.filter(isMediaPart).map(part => media(part).base64)
  const thought = parts.flatMap(part => (part.type === 'reasoning' ? [part.text] : []))
  const more = { ...(images.length > 0 && { images }), ...(thought.length > 0 && { thinking: thought.join('\n\n') }) }
  if (turn.role === 'tool')
    return { role: turn.role, content: contentText(turn.content), ...more, ...(turn.name !== undefined && { tool_name: turn.name }) }
  if (!('toolCalls' in turn)) return { role: turn.role, content: contentText(turn.content), ...more }
  const calls = turn.toolCalls.map(call => ({ function: { name: call.name, arguments: argumentsOf(call.arguments) } }))
  return { role: turn.role, content: contentText(turn.content), ...more, ...turn.carried, tool_calls: calls }
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
