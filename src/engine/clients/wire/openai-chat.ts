import { z } from 'zod'
import { chatBody, limitFieldOf } from '../openai/request-body.ts'
import { parseReply } from '../openai/reply.ts'
import { StreamReply } from '../openai/stream-reply.ts'
import { markOptions, markTurns } from './cache-marks.ts'
import { bearer, type WireProtocol } from './wire-protocol.ts'

interface ChatSettings {
  readonly baseUrl: string
  /** Ask for answers token by token. */
  readonly streaming: boolean
}

/** Chat completions of OpenAI, which most model servers offer. The base URL ends in `/v1`, or in what a host has in its place. */
export function openAiChat({ baseUrl, streaming }: ChatSettings): WireProtocol {
  const limitField = limitFieldOf(baseUrl)
  return {
    title: 'OpenAI chat completions',
    headers: apiKey => ({ ...bearer(apiKey), ...(streaming ? { accept: 'text/event-stream, application/json' } : {}) }),
    request: (request, model, media) => ({
      path: '/chat/completions',
      // A tool call that arrives in pieces cannot be acted on before the last of them, so a request with tools asks for the whole.
      body: { ...chatBody(request, { model, limitField }, media), ...(streaming && request.tools === undefined ? asStream : {}) },
      notes: [],
    }),
    markCache: (body, mark) => ({ ...body, messages: markTurns(Shared.parse(body).messages, mark, 'text'), ...markOptions(mark) }),
    read: parseReply,
    events: seen => new StreamReply(seen),
  }
}

/** The part of a body that is marked. */
const Shared = z.object({ messages: z.array(z.record(z.string(), z.unknown())) })

const asStream = { stream: true, stream_options: { include_usage: true } }
