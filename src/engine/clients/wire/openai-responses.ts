import { z } from 'zod'
import type { Turn } from '../model-client.ts'
import { parametersSchema } from './json-schema.ts'
import { bearer, dropped, wireAnswer, type WireProtocol } from './wire-protocol.ts'

const title = 'OpenAI responses'

/** Fewer the provider refuses. */
const leastOutputTokens = 16

const Part = z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() })
const Item = z.object({
  type: z.string(),
  content: z.array(Part).nullish().catch(null),
  summary: z.array(Part).nullish().catch(null),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
})
const Count = z.int().min(0)
const Reply = z.object({
  status: z.string().nullish(),
  model: z.string().nullish().catch(null),
  output: z.array(Item),
  incomplete_details: z.object({ reason: z.string() }).nullish().catch(null),
  usage: z.object({ input_tokens: Count, output_tokens: Count }).nullish().catch(null),
})

/** `POST /responses` of OpenAI; nothing is stored there. The base URL ends in `/v1`. */
export const openAiResponses: WireProtocol = {
  title,
  headers: bearer,
  request: ({ messages, maxOutputTokens, temperature, stop, tools, effort }, model) => ({
    path: '/responses',
    body: {
      model,
      input: messages.flatMap(itemsOf),
      max_output_tokens: Math.max(leastOutputTokens, maxOutputTokens),
      store: false,
      ...(temperature === null ? {} : { temperature }),
      ...(effort === undefined ? {} : { reasoning: { effort } }),
      ...(tools
        ? {
            tools: tools.map(tool => ({
              type: 'function',
              name: tool.name,
              description: tool.description,
              parameters: parametersSchema(tool),
              strict: true,
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
  read: value => {
    const reply = Reply.safeParse(value)
    if (!reply.success) return { ok: false, problem: 'is no response: “output” is missing or of the wrong type' }
    const { status, model, output, incomplete_details: incomplete, usage } = reply.data
    const parts = output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []))
    const text = parts.map(part => (part.type === 'output_text' ? (part.text ?? '') : '')).join('')
    const thoughts = output.flatMap(({ type, content, summary }) =>
      type === 'reasoning' ? (content?.length ? content : (summary ?? [])) : [],
    )
    const refusal = parts.map(part => (part.type === 'refusal' ? (part.refusal ?? '') : '')).join('')
    return wireAnswer({
      output: text === '' ? refusal : text,
      reasoning: thoughts.map(part => part.text ?? '').join('\n\n'),
      finishReason: incomplete?.reason ?? status ?? null,
      refused: refusal !== '',
      servedModel: model,
      usage: usage ? { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } : null,
      toolCalls: output.flatMap(item =>
        item.type === 'function_call' && item.call_id !== undefined && item.name !== undefined
          ? [{ id: item.call_id, name: item.name, arguments: item.arguments ?? '' }]
          : [],
      ),
    })
  },
}

function itemsOf(turn: Turn): object[] {
  if (turn.role === 'tool') return [{ type: 'function_call_output', call_id: turn.toolCallId, output: turn.content }]
  const said = turn.content === '' && 'toolCalls' in turn ? [] : [{ role: turn.role, content: turn.content }]
  if (!('toolCalls' in turn)) return said
  return [...said, ...turn.toolCalls.map(call => ({ type: 'function_call', call_id: call.id, name: call.name, arguments: call.arguments }))]
}
