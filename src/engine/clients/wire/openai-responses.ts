import { z } from 'zod'
import { type Part as MessagePart, unnamedDocument } from '../../../contract/messages/messages.schemas.ts'
import { dataUri, type MediaLookup } from './media-lookup.ts'
import type { Turn } from '../model-client.ts'
import { argumentsText } from '../openai/tool-calls.ts'
import { parametersSchema } from './json-schema.ts'
import { readUsage } from '../usage/read-usage.ts'
import { markOptions, markTurns } from './cache-marks.ts'
import { bearer, dropped, wireAnswer, type WireProtocol } from './wire-protocol.ts'

const title = 'OpenAI responses'

/** Fewer the provider refuses. */
const leastOutputTokens = 16

const Part = z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() })
const Item = z.looseObject({
  type: z.string(),
  status: z.string().nullish().catch(null),
  /** Of a message: `commentary` before the `final_answer`; absent where there is one. */
  phase: z.string().nullish().catch(null),
  content: z.array(Part).nullish().catch(null),
  summary: z.array(Part).nullish().catch(null),
  call_id: z.string().nullish().catch(null),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
})
const Reply = z.object({
  status: z.string().nullish(),
  model: z.string().nullish().catch(null),
  output: z.array(Item).nullish(),
  /** What SDKs make of the output, and some servers send in its place. */
  output_text: z.string().nullish().catch(null),
  incomplete_details: z.object({ reason: z.string() }).nullish().catch(null),
})

/** The part of a body that is marked. */
const Shared = z.object({ input: z.array(z.record(z.string(), z.unknown())) })

/** The items as they came: a reasoning item has to come back whole and before its call. */
const Raw = z.object({ output: z.array(z.record(z.string(), z.unknown())) })

const isCall = (item: { readonly type?: unknown; readonly name?: unknown }): boolean =>
  item.type === 'function_call' && typeof item.name === 'string'

/** `POST /responses` of OpenAI; nothing is stored there. The base URL ends in `/v1`. */
export const openAiResponses: WireProtocol = {
  title,
  headers: bearer,
  request: ({ messages, maxOutputTokens, temperature, stop, tools, effort }, model, media) => ({
    path: '/responses',
    body: {
      model,
      input: messages.flatMap(turn => itemsOf(turn, media)),
      max_output_tokens: Math.max(leastOutputTokens, maxOutputTokens),
      store: false,
      // Thoughts that are not stored there can only come back encrypted, which models that do not reason refuse to be asked for.
      ...(tools && effort !== undefined && effort !== 'none' ? { include: ['reasoning.encrypted_content'] } : {}),
      ...(temperature === null ? {} : { temperature }),
      ...(effort === undefined ? {} : { reasoning: { effort } }),
      ...(tools
        ? {
            tools: tools.map(tool => ({
              type: 'function',
              name: tool.name,
              description: tool.description,
              parameters: parametersSchema(tool),
              // Strict schemas must name every property as required, which those of a workspace need not.
              strict: tool.schema === undefined,
            })),
          }
        : {}),
    },
    notes: [
      ...dropped('stop', title, stop.length > 0),
      ...(maxOutputTokens < leastOutputTokens
        ? [
            {
              code: 'parameter_adapted' as const,
              message: `${title} takes no limit below ${leastOutputTokens} tokens; ${maxOutputTokens} was sent as ${leastOutputTokens}.`,
            },
          ]
        : []),
    ],
  }),
  markCache: (body, mark) => ({ ...body, input: markTurns(Shared.parse(body).input, mark, 'input_text'), ...markOptions(mark) }),
  read: value => {
    const reply = Reply.safeParse(value).data
    const output = reply?.output ?? (reply?.output_text == null ? null : [])
    if (!reply || !output) return { ok: false, problem: 'is no response: “output” is missing or of the wrong type' }
    const { status, model, output_text: summed, incomplete_details: incomplete } = reply
    const isAnswered = output.some(({ phase }) => phase === 'final_answer')
    const isRemark = ({ type, phase }: z.infer<typeof Item>) => type === 'message' && isAnswered && phase === 'commentary'
    const parts = output.flatMap(item => (item.type === 'message' && !isRemark(item) ? (item.content ?? []) : []))
    const text = parts.map(part => (part.type === 'output_text' ? (part.text ?? '') : '')).join('') || (summed ?? '')
    const isOpen = output.some(item => (item.type === 'message' || isCall(item)) && item.status === 'incomplete')
    const thoughts = output.flatMap(item => {
      const { content, summary } = item
      return item.type === 'reasoning' || isRemark(item) ? (content?.length ? content : (summary ?? [])) : []
    })
    const refusal = parts.map(part => (part.type === 'refusal' ? (part.refusal ?? '') : '')).join('')
    return wireAnswer({
      output: text === '' ? refusal : text,
      reasoning: thoughts.map(part => part.text ?? '').join('\n\n'),
      finishReason: incomplete?.reason ?? (isOpen && (status ?? 'completed') === 'completed' ? 'incomplete' : status) ?? null,
      refused: refusal !== '',
      servedModel: model,
      ...readUsage(value),
      toolCalls: output.flatMap(item =>
        isCall(item) ? [{ id: item.call_id ?? '', name: item.name ?? '', arguments: argumentsText(item.arguments) }] : [],
      ),
      carried: { output: Raw.safeParse(value).data?.output ?? [] },
    })
  },
}

function itemsOf(turn: Turn, media: MediaLookup): object[] {
  const content = contentOf(turn, media)
  if (turn.role === 'tool') return [{ type: 'function_call_output', call_id: turn.toolCallId, output: content }]
  const said = content === '' && 'toolCalls' in turn ? [] : [{ role: turn.role, content }]
  if (!('toolCalls' in turn)) return said
  const calls = turn.toolCalls.map(call => ({ type: 'function_call', call_id: call.id, name: call.name, arguments: call.arguments }))
  const carried = Raw.safeParse(turn.carried).data
  if (!carried) return [...said, ...calls]
  let next = 0
  return carried.output
    .filter(item => item['type'] !== 'reasoning' || typeof item['encrypted_content'] === 'string')
    .flatMap(item => (isCall(item) ? calls.slice(next, ++next) : [item]))
}

function contentOf({ role, content }: Turn, media: MediaLookup): string | object[] {
  return typeof content === 'string' ? content : content.map(part => partOf(part, role, media))
}

function partOf(part: MessagePart, role: Turn['role'], media: MediaLookup): object {
  switch (part.type) {
    case 'image':
      return { type: 'input_image', image_url: dataUri(media(part)), detail: part.detail ?? 'auto' }
    case 'document':
      return { type: 'input_file', filename: part.title ?? unnamedDocument, file_data: dataUri(media(part)) }
    case 'text':
      return { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text }
    case 'tool_result':
      return { type: 'input_text', text: part.content }
    default:
      throw new RangeError(`${title} has no form for "${part.type}".`)
  }
}
