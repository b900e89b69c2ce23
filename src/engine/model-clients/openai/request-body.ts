import type { ModelRequest } from '../model-client.ts'
import type { Endpoint } from './endpoint.ts'

export interface BodySettings {
  readonly model: string
  readonly streaming: boolean
  readonly limitField: Endpoint['limitField']
}

/** The body of a chat-completions call, byte for byte as sent. The same request gives the same bytes. */
export function requestBody(request: ModelRequest, { model, streaming, limitField }: BodySettings): Buffer {
  return Buffer.from(
    JSON.stringify({
      model,
      messages: request.messages.map(({ role, content }) => ({ role, content })),
      [limitField]: request.maxOutputTokens,
      ...(request.temperature === null ? {} : { temperature: request.temperature }),
      ...(request.stop.length === 0 ? {} : { stop: request.stop }),
      ...(streaming ? { stream: true, stream_options: { include_usage: true } } : {}),
    }),
  )
}
