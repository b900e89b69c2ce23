import { chatBody } from '../openai/request-body.ts'
import { parseReply } from '../openai/reply.ts'
import { StreamReply } from '../openai/stream-reply.ts'
import { bearer, type WireProtocol } from './wire-protocol.ts'

/** Chat completions of llama.cpp's server, with what makes its answers the same each time. The base URL ends in `/v1`. */
export const llamaCpp: WireProtocol = {
  title: 'llama.cpp',
  headers: bearer,
  request: (request, model, media) => ({
    path: '/chat/completions',
    // With a prompt cache the batches differ from call to call, and with them the last digits of the sums.
    body: { ...chatBody(request, { model, limitField: 'max_tokens' }, media), cache_prompt: false },
    notes: [],
  }),
  read: parseReply,
  events: seen => new StreamReply(seen),
}
