import type { Message } from '../../../contract/messages/messages.schemas.ts'
import { textBytes } from '../tokens/text-bytes.ts'
import type { Answer, CallNote, ModelRequest } from '../model-client.ts'

/** Below this share of the counted tokens a server has cut the prompt: tokenizers differ by less. */
const leastShare = 0.8
/** Shorter prompts fit every server. */
const leastBytes = 2_000
/** No usual text has more bytes a token; so only a prompt of which the server counts fewer tokens need be counted here. */
const mostBytesPerToken = 5

/**
 * The note for a prompt of which the server read a part only, as Ollama and others do in silence beyond their context length; null where it
 * read the prompt, or counted nothing, which mostly shows at once.
 * @param count tokens of a prompt, by a real tokenizer
 */
export function findTruncation(
  { messages }: ModelRequest,
  { usage }: Answer,
  count: (messages: readonly Message[]) => Promise<number>,
): Promise<CallNote | null> | null {
  if (!usage) return null
  const texts = messages.map(({ role, content }): Message => ({ role: role === 'tool' ? 'user' : role, content }))
  const bytes = texts.reduce((sum, { content }) => sum + textBytes(content), 0)
  if (bytes < leastBytes || usage.inputTokens * mostBytesPerToken >= bytes) return null
  return count(texts).then(counted => noteOf(usage.inputTokens, counted))
}

function noteOf(stated: number, counted: number): CallNote | null {
  if (stated >= counted * leastShare) return null
  return {
    code: 'prompt_truncated',
    message: `The server counted ${stated} of about ${counted} prompt tokens, so it cut the prompt. Raise its context length (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH for the whole server).`,
  }
}
