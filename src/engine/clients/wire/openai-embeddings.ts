import { z } from 'zod'
import { contentText } from '../../../contract/messages/message-text.ts'
import { readUsage } from '../usage/read-usage.ts'
import { bearer, wireAnswer, type WireProtocol } from './wire-protocol.ts'

const title = 'OpenAI embeddings'

const Reply = z.object({
  data: z.array(z.object({ index: z.coerce.number().int().optional().catch(undefined), embedding: z.array(z.number()).min(1) })).min(1),
  model: z.string().nullish().catch(null),
  usage: z.record(z.string(), z.unknown()).nullish().catch(null),
})
const Vectors = z.array(z.array(z.number()))

/**
 * `POST /embeddings`: each message is a text, and the answer is their vectors as a list in JSON. The base URL ends in `/v1`.
 */
export const openAiEmbeddings: WireProtocol = {
  title,
  headers: bearer,
  request: ({ messages }, model) => ({
    path: '/embeddings',
    body: { model, input: messages.map(({ content }) => contentText(content)), encoding_format: 'float' },
    notes: [],
  }),
  read: value => {
    const reply = Reply.safeParse(value)
    if (!reply.success) return { ok: false, problem: 'has no embeddings: “data” with an “embedding” of numbers is missing' }
    const { data, model, usage } = reply.data
    const inOrder = data.map((one, i) => ({ ...one, place: one.index ?? i })).toSorted((a, b) => a.place - b.place)
    const first = inOrder[0]?.place ?? 0
    // Some servers count from one, and some give every vector the same number: those are in the order of the texts.
    if (!inOrder.every(({ place }) => place === first) && inOrder.some(({ place }, i) => place !== first + i))
      return { ok: false, problem: 'has embeddings whose “index” is given twice or is missing' }
    return wireAnswer({
      output: JSON.stringify(inOrder.map(({ embedding }) => embedding)),
      finishReason: 'stop',
      refused: false,
      servedModel: model,
      // Nothing is written, which OpenAI leaves unsaid.
      ...(usage ? readUsage({ usage: { completion_tokens: 0, ...usage } }) : { usage: null }),
    })
  },
}

/** The vectors of an answer, in the order of the texts; null where it has another number of them. */
export function vectorsIn(output: string, texts: number): number[][] | null {
  const read = Vectors.safeParse(JSON.parse(output))
  return read.success && read.data.length === texts ? read.data : null
}
