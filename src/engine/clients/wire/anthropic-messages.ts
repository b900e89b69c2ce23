import { z } from 'zod'
import { contentText } from '../../../contract/messages/message-text.ts'
import type { MessageContent, Part } from '../../../contract/messages/messages.schemas.ts'
import { endingOf } from '../../../contract/runs/endings.ts'
import type { EncodedMedia, MediaLookup } from './media-lookup.ts'
import type { ModelRequest, Turn } from '../model-client.ts'
import { markSharedPrefix } from './cache-marks.ts'
import { effortDropped, effortsOf } from '../efforts.ts'
import { argumentsText } from '../openai/tool-calls.ts'
import { parametersSchema } from './json-schema.ts'
import { readUsage } from '../usage/read-usage.ts'
import { wireAnswer, type WireProtocol } from './wire-protocol.ts'

const title = 'Anthropic messages'

/**
 * The version that still takes a temperature. It is always sent, so that a change of the provider's default changes no result; a header of
 * that name on the connection replaces it.
 */
const version = '2023-06-01'

const Reply = z.object({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullish(),
  model: z.string().nullish().catch(null),
})

/** The part of a body that is marked. */
const Shared = z.looseObject({
  system: z.string().exactOptional(),
  tools: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]) })),
})

const Carried = z.object({ content: z.array(z.record(z.string(), z.unknown())) })

/** `POST /messages` of Anthropic. The base URL ends in `/v1`. */
export const anthropicMessages: WireProtocol = {
  title,
  headers: apiKey => ({ 'anthropic-version': version, ...(apiKey === null ? {} : { 'x-api-key': apiKey }) }),
  request: (request, model, media) => {
    const system = request.messages.filter(({ role }) => role === 'system').map(({ content }) => contentText(content))
    return {
      path: '/messages',
      body: {
        model,
        max_tokens: request.maxOutputTokens,
        ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
        messages: messagesOf(request.messages, media),
        ...(request.temperature === null ? {} : { temperature: Math.min(request.temperature, 1) }),
        ...(request.stop.length === 0 ? {} : { stop_sequences: request.stop }),
        ...effortOf(request),
        ...(request.tools
          ? { tools: request.tools.map(tool => ({ name: tool.name, description: tool.description, input_schema: parametersSchema(tool) })) }
          : {}),
      },
      notes: [
        ...effortDropped(request, title, effortsOf.anthropic_messages),
        ...((request.temperature ?? 0) > 1
          ? [
              {
                code: 'parameter_adapted' as const,
                message: `${title} takes temperatures up to 1; ${request.temperature} was sent as 1.`,
              },
            ]
          : []),
      ],
    }
  },
  markCache: body => ({ ...body, ...markSharedPrefix(Shared.parse(body)) }),
  read: value => {
    const reply = Reply.safeParse(value)
    if (!reply.success) return { ok: false, problem: 'is no message: “content” is missing or of the wrong type' }
    const { content, stop_reason: finishReason = null, model } = reply.data
    return wireAnswer({
      output: content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join(''),
      reasoning: content.map(({ type, thinking }) => (type === 'thinking' ? (thinking ?? '') : '')).join(''),
      finishReason,
      refused: finishReason === 'refusal',
      servedModel: model,
      ...readUsage(value),
      toolCalls: content.flatMap(({ type, id, name, input }, i) => {
        if (type !== 'tool_use' || name === undefined) return []
        const isCut = i === content.length - 1 && endingOf(finishReason) === 'cut_off'
        return [{ id: id ?? '', name, arguments: isCut ? cutArguments(input) : argumentsText(input) }]
      }),
      // Thinking blocks are signed and have to come back before the calls, unchanged and in their order.
      carried: { content },
    })
  },
}

/** Of a call at which the answer was cut off: its object is closed and may lack values, or the end of its last one, so it is left open. */
function cutArguments(input: unknown): string {
  const text = argumentsText(input)
  let end = text.length
  while ('"]}'.includes(text.charAt(end - 1)) && end > 0) end--
  return text.slice(0, end)
}

/** Here `none` is not an effort but thinking switched off. */
function effortOf({ effort }: ModelRequest): object {
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  return effort !== undefined && effortsOf.anthropic_messages.includes(effort) ? { output_config: { effort } } : {}
}

/** Tool results are blocks of a user message; those of one turn share one message. */
function messagesOf(turns: ModelRequest['messages'], media: MediaLookup): object[] {
  const messages: { role: 'user' | 'assistant'; content: string | object[] }[] = []
  for (const turn of turns) {
    if (turn.role === 'system') continue
    const last = messages.at(-1)
    if (turn.role !== 'tool') messages.push({ role: turn.role, content: contentOf(turn, media) })
    else if (last?.role === 'user' && Array.isArray(last.content)) last.content.push(resultOf(turn, media))
    else messages.push({ role: 'user', content: [resultOf(turn, media)] })
  }
  return messages
}

function contentOf(turn: Turn, media: MediaLookup): string | object[] {
  if (!('toolCalls' in turn)) return blocksOf(turn.content, media)
  const uses = turn.toolCalls.map(call => ({ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call.arguments) }))
  const carried = Carried.safeParse(turn.carried).data
  if (!carried)
    return [
      ...[blocksOf(turn.content, media)].flatMap(said =>
        said === '' ? [] : typeof said === 'string' ? [{ type: 'text', text: said }] : said,
      ),
      ...uses,
    ]
  let next = 0
  return carried.content
    .filter(block => block['type'] !== 'text' || block['text'] !== '')
    .flatMap(block => (block['type'] === 'tool_use' && block['name'] !== undefined ? uses.slice(next, ++next) : [block]))
}

function resultOf({ toolCallId, content, isError }: Extract<Turn, { role: 'tool' }>, media: MediaLookup): object {
  return { type: 'tool_result', tool_use_id: toolCallId, content: blocksOf(content, media), ...(isError && { is_error: true }) }
}

function blocksOf(content: MessageContent, media: MediaLookup): string | object[] {
  return typeof content === 'string' ? content : content.map(part => blockOf(part, media))
}

function blockOf(part: Part, media: MediaLookup): object {
  switch (part.type) {
    case 'image':
      return { type: 'image', source: sourceOf(media(part)) }
    case 'document':
      return { type: 'document', source: sourceOf(media(part)), ...(part.title !== undefined && { title: part.title }) }
    case 'text':
      return { type: 'text', text: part.text }
    case 'tool_result':
      return { type: 'text', text: part.content }
    case 'reasoning':
      return part.redacted
        ? { type: 'redacted_thinking', data: part.text }
        : { type: 'thinking', thinking: part.text, signature: part.signature }
    default:
      throw new RangeError(`${title} has no form for "${part.type}".`)
  }
}

const sourceOf = ({ base64, mediaType }: EncodedMedia): object => ({ type: 'base64', media_type: mediaType, data: base64 })

/** The provider made this text from an object; broken text can only come from another provider's conversation. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
