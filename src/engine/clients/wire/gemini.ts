import { z } from 'zod'
import { contentText } from '../../../contract/messages/message-text.ts'
import type { Part } from '../../../contract/messages/messages.schemas.ts'
import { effortDropped, effortsOf } from '../efforts.ts'
import type { ModelRequest, Turn } from '../model-client.ts'
import { argumentsText } from '../openai/tool-calls.ts'
import { readUsage } from '../usage/read-usage.ts'
import { parametersSchema } from './json-schema.ts'
import type { MediaLookup } from './media-lookup.ts'
import { wireAnswer, type WireProtocol, type WireReading } from './wire-protocol.ts'

const title = 'Gemini generateContent'

const ReplyPart = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() }).optional(),
})
const Candidate = z.looseObject({
  index: z.int().optional(),
  content: z.looseObject({ parts: z.array(ReplyPart).nullish() }).nullish(),
  finishReason: z.string().nullish(),
})
const Reply = z.looseObject({
  candidates: z.array(Candidate).nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  modelVersion: z.string().nullish().catch(null),
})

const Carried = z.object({ parts: z.array(z.record(z.string(), z.unknown())) })

/** `POST /models/{model}:generateContent` of Gemini. The base URL ends in `/v1beta`. */
export const gemini: WireProtocol = {
  title,
  headers: geminiHeaders,
  request: (request, model, media) => {
    const system = request.messages.filter(({ role }) => role === 'system').map(({ content }) => contentText(content))
    return {
      path: `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
      body: {
        contents: contentsOf(request.messages, media),
        ...(system.length === 0 ? {} : { systemInstruction: { parts: [{ text: system.join('\n\n') }] } }),
        generationConfig: {
          maxOutputTokens: request.maxOutputTokens,
          ...(request.temperature === null ? {} : { temperature: request.temperature }),
          ...(request.stop.length === 0 ? {} : { stopSequences: request.stop }),
          ...thinkingOf(request),
        },
        ...(request.tools
          ? {
              tools: [
                {
                  functionDeclarations: request.tools.map(tool => ({
                    name: tool.name,
                    description: tool.description,
                    parametersJsonSchema: parametersSchema(tool),
                  })),
                },
              ],
            }
          : {}),
      },
      notes: effortDropped(request, title, effortsOf.gemini),
    }
  },
  read: readReply,
}

export function geminiHeaders(apiKey: string | null): Record<string, string> {
  return apiKey === null ? {} : { 'x-goog-api-key': apiKey }
}

/** Gemini 3 takes a level; `none` is the budget of 0 that earlier models take. */
function thinkingOf({ effort }: ModelRequest): object {
  if (effort === undefined || !effortsOf.gemini.includes(effort)) return {}
  return {
    thinkingConfig: { includeThoughts: effort !== 'none', ...(effort === 'none' ? { thinkingBudget: 0 } : { thinkingLevel: effort }) },
  }
}

function readReply(value: unknown): WireReading {
  const reply = Reply.safeParse(value)
  if (!reply.success) return { ok: false, problem: 'is no reply of Gemini: “candidates” is of the wrong type' }
  const { candidates, promptFeedback, modelVersion } = reply.data
  const blockReason = promptFeedback?.blockReason ?? null
  const candidate = candidates?.find(({ index = 0 }) => index === 0) ?? candidates?.[0]
  if (!candidate && blockReason === null) return { ok: false, problem: 'has no candidates' }
  const parts = candidate?.content?.parts ?? []
  const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
  return wireAnswer({
    output: parts.map(part => (part.thought === true ? '' : (part.text ?? ''))).join(''),
    reasoning: parts.map(part => (part.thought === true ? (part.text ?? '') : '')).join(''),
    finishReason: candidate?.finishReason ?? (blockReason === null ? null : 'prompt_blocked'),
    refused: false,
    servedModel: modelVersion,
    ...readUsage(value),
    toolCalls: calls.map(({ id, name, args }) => ({ id: id ?? '', name, arguments: argumentsText(args) })),
    // Signatures of thoughts are on the parts and have to come back with them.
    carried: { parts },
  })
}

/** Results of tools are parts of a user turn; neighbors of one role share a turn. */
function contentsOf(turns: readonly Turn[], media: MediaLookup): object[] {
  const contents: { role: 'user' | 'model'; parts: object[] }[] = []
  const names = new Map<string, string>()
  for (const turn of turns) {
    if (turn.role === 'system') continue
    if ('toolCalls' in turn) for (const { id, name } of turn.toolCalls) names.set(id, name)
    const role = turn.role === 'assistant' ? 'model' : 'user'
    const parts = turn.role === 'tool' ? [resultOf(turn, turn.name ?? names.get(turn.toolCallId) ?? '')] : partsOfTurn(turn, media)
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else contents.push({ role, parts })
  }
  return contents
}

function partsOfTurn(turn: Exclude<Turn, { role: 'tool' }>, media: MediaLookup): object[] {
  const said =
    typeof turn.content === 'string' ? (turn.content === '' ? [] : [{ text: turn.content }]) : turn.content.map(part => partOf(part, media))
  if (!('toolCalls' in turn)) return said.length > 0 ? said : [{ text: '' }]
  const calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({
    functionCall: { ...(id === '' ? {} : { id }), name, args: argumentsOf(given) },
  }))
  const carried = Carried.safeParse(turn.carried).data
  if (!carried) return [...said, ...calls]
  let next = 0
  return carried.parts.flatMap(part =>
    part['functionCall'] === undefined ? [part] : calls.slice(next, ++next).map(call => ({ ...part, ...call })),
  )
}

function partOf(part: Part, media: MediaLookup): object {
  switch (part.type) {
    case 'image':
    case 'audio':
    case 'document': {
      const { mediaType, base64 } = media(part)
      return { inlineData: { mimeType: mediaType === 'audio/mpeg' ? 'audio/mp3' : mediaType, data: base64 } }
    }
    case 'reasoning':
      return { text: part.text, thought: true, ...(part.signature !== undefined && { thoughtSignature: part.signature }) }
    case 'tool_result':
      return { text: part.content }
    case 'text':
      return { text: part.text }
    case 'tool_call':
      throw new RangeError(`${title} has tool calls beside the text.`)
  }
}

function resultOf({ toolCallId, content, isError }: Extract<Turn, { role: 'tool' }>, name: string): object {
  const said = contentText(content)
  return {
    functionResponse: { ...(toolCallId === '' ? {} : { id: toolCallId }), name, response: isError ? { error: said } : { output: said } },
  }
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
