import { z } from 'zod'
import type { ConnectionProtocol, EndpointModels } from '../../../contract/index.ts'
import { anthropicMessages } from '../wire/anthropic-messages.ts'
import { createJsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { keyHeaders } from '../http/key-headers.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { readOllama } from './read-runtime.ts'

const mostBytes = 4_000_000
/** More than any provider offers; a list that is longer says something else. */
const mostModels = 2_000

const Context = z.int().min(1).nullish().catch(null)
/** What `GET /models` has in common everywhere. The names of the context length are those of vLLM, OpenRouter and llama.cpp. */
const Listing = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      max_model_len: Context,
      context_length: Context,
      meta: z.object({ n_ctx_train: Context }).nullish().catch(null),
    }),
  ),
})

/** The models that an endpoint offers, by the listing of its protocol. Makes no model call. */
export async function listModels(
  protocol: ConnectionProtocol,
  settings: Omit<TransportSettings, 'model' | 'maxResponseBytes'>,
  signal: AbortSignal,
): Promise<EndpointModels> {
  const own = protocol === 'anthropic_messages' ? anthropicMessages.headers(settings.apiKey) : bearer(settings.apiKey)
  const transport = createJsonTransport(
    { ...settings, model: '', maxResponseBytes: mostBytes },
    'the model list',
    keyHeaders(own, settings),
  )
  try {
    const reply = await transport.get(protocol === 'ollama' ? '/api/tags' : '/models', signal)
    if (!reply.ok) return { items: [], message: reply.message }
    const items = protocol === 'ollama' ? readOllama(reply.value)?.models : readListing(reply.value)
    if (!items) return { items: [], message: 'The endpoint answers, but not with a list of models. Type the name of the model.' }
    if (items.length === 0) return { items: [], message: 'The endpoint lists no models. Type the name of the model.' }
    return { items: items.slice(0, mostModels).map(({ model, context_tokens }) => ({ model, context_tokens })), message: null }
  } finally {
    await transport.close()
  }
}

function readListing(value: unknown): EndpointModels['items'] | null {
  const found = Listing.safeParse(value)
  if (!found.success) return null
  return found.data.data
    .map(({ id, max_model_len, context_length, meta }) => ({
      model: id,
      context_tokens: max_model_len ?? context_length ?? meta?.n_ctx_train ?? null,
    }))
    .toSorted((a, b) => a.model.localeCompare(b.model, 'en', { numeric: true }))
}
