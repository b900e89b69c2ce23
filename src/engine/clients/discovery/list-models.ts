import { z } from 'zod'
import { type ConnectionProtocol, type EndpointModels, ModelName } from '../../../contract/connections/connections.schemas.ts'
import { anthropicMessages } from '../wire/anthropic-messages.ts'
import { createJsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { keyHeaders } from '../http/key-headers.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { geminiHeaders } from '../wire/gemini.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { readOllama } from './read-runtime.ts'

const mostBytes = 4_000_000
/** More than any provider offers. */
const mostModels = 2_000
/** The default page is smaller: 20 models (Anthropic), 50 (Google). */
const pageSizes: Partial<Record<ConnectionProtocol, readonly [name: string, size: string]>> = {
  anthropic_messages: ['limit', '1000'],
  gemini: ['pageSize', '1000'],
}

const Name = ModelName.optional().catch(undefined)
const Context = z.coerce.number().int().min(1).nullish().catch(null)
/** Names of the context length: vLLM and SGLang, OpenRouter and Cohere, Groq, Mistral, Anthropic, Google, OpenRouter, llama.cpp. */
const Model = z.object({
  id: Name,
  name: Name,
  model: Name,
  model_name: Name,
  max_model_len: Context,
  context_length: Context,
  context_window: Context,
  max_context_length: Context,
  max_input_tokens: Context,
  inputTokenLimit: Context,
  top_provider: z.object({ context_length: Context }).nullish().catch(null),
  meta: z.object({ n_ctx: Context, n_ctx_train: Context }).nullish().catch(null),
})
/** OpenAI and most have `data`, Together a bare list, Cohere and Google `models` with names in place of ids, Cloudflare `result` with both. */
const Listing = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  z.object({ result: z.array(z.unknown()) }).transform(({ result }) => result),
])

/** A page of a list that has further pages (Anthropic; Google). */
const More = z.union([z.object({ has_more: z.literal(true) }), z.object({ nextPageToken: z.string().min(1) })])

const byName = new Intl.Collator('en', { numeric: true })

/** The models that an endpoint offers, by the listing of its protocol. Makes no model call. */
export async function listModels(
  protocol: ConnectionProtocol,
  settings: Omit<TransportSettings, 'model' | 'maxResponseBytes'>,
  signal: AbortSignal,
): Promise<EndpointModels> {
  const { apiKey } = settings
  const own =
    protocol === 'anthropic_messages' ? anthropicMessages.headers(apiKey) : protocol === 'gemini' ? geminiHeaders(apiKey) : bearer(apiKey)
  const transport = createJsonTransport(
    { ...settings, baseUrl: wholePage(protocol, settings.baseUrl), model: '', maxResponseBytes: mostBytes },
    'the model list',
    keyHeaders(own, settings),
  )
  try {
    const reply = await transport.get(protocol === 'ollama' ? '/api/tags' : '/models', signal)
    if (!reply.ok) return { items: [], message: reply.message }
    const items = protocol === 'ollama' ? readOllama(reply.value)?.models : readListing(reply.value)
    if (!items) return { items: [], message: 'The endpoint answers, but not with a list of models. Type the name of the model.' }
    if (items.length === 0) return { items: [], message: 'The endpoint lists no models. Type the name of the model.' }
    const shown = items.slice(0, mostModels).map(({ model, context_tokens }) => ({ model, context_tokens }))
    const isWhole = shown.length === items.length && !More.safeParse(reply.value).success
    return { items: shown.toSorted((a, b) => byName.compare(a.model, b.model)), message: isWhole ? null : describePart(shown.length) }
  } finally {
    await transport.close()
  }
}

/** The address with the size of a page that its protocol takes. */
function wholePage(protocol: ConnectionProtocol, baseUrl: string): string {
  const [name, size] = pageSizes[protocol] ?? []
  if (name === undefined || !URL.canParse(baseUrl) || new URL(baseUrl).searchParams.has(name)) return baseUrl
  return `${baseUrl}${baseUrl.includes('?') ? '&' : '?'}${name}=${size}`
}

function describePart(shown: number): string {
  return `The endpoint lists more than ${shown === 1 ? 'this model' : `these ${formatCount(shown)} models`}. Type the name of a model that is missing.`
}

/** Entries that cannot be read are left out; null where there is no list, or none of its entries can be read. */
function readListing(value: unknown): EndpointModels['items'] | null {
  const found = Listing.safeParse(value)
  if (!found.success) return null
  const entries = found.data.map(entry => Model.safeParse(typeof entry === 'string' ? { id: entry } : entry).data)
  // A name may be for people; it is what a call takes where no entry has an id, or the ids are none of models.
  const byId = entries.some(entry => entry?.id !== undefined) && !hasResult(value)
  const items = entries.flatMap(data => {
    const named = data?.model ?? data?.model_name ?? data?.name
    // Google writes `models/…` and takes its names with and without.
    const model = byId ? data?.id : named?.replace(/^models\//, '')
    if (!data || model === undefined) return []
    const { max_model_len, context_length, context_window, max_context_length, max_input_tokens, inputTokenLimit } = data
    const stated = max_model_len ?? context_length ?? context_window ?? max_context_length ?? max_input_tokens ?? inputTokenLimit
    return [{ model, context_tokens: stated ?? data.top_provider?.context_length ?? data.meta?.n_ctx ?? data.meta?.n_ctx_train ?? null }]
  })
  if (items.length === 0 && entries.length > 0) return null
  return [...new Map(items.toReversed().map(item => [item.model, item])).values()].toReversed()
}

/** Cloudflare's ids are of its records. */
const hasResult = (value: unknown): boolean => typeof value === 'object' && value !== null && 'result' in value
