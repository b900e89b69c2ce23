import { z } from 'zod'
import type { Connection } from '../../../contract/connections/connections.schemas.ts'
import { classifyHost } from '../addresses/classify-host.ts'
import { createJsonTransport, type JsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { keyHeaders } from '../http/key-headers.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { listModels } from './list-models.ts'

const Length = z.int().min(1)
const Props = z.object({ default_generation_settings: z.object({ n_ctx: Length }) })
const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) })
/** `GET /api/v1/models` of LM Studio. */
const Instances = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      loaded_instances: z.array(z.object({ id: z.string(), config: z.object({ context_length: Length }) })).catch([]),
      max_context_length: Length.nullish().catch(null),
    }),
  ),
})
/** `GET /api/ps` of Ollama, whose OpenAI form cannot set the length. */
const Loaded = z.object({ models: z.array(z.object({ name: z.string(), context_length: Length })) })

const mostBytes = 1_000_000
/** Milliseconds for all that is asked: some servers keep addresses that they do not know open. */
const mostMs = 5_000

type Settings = Omit<TransportSettings, 'model' | 'maxResponseBytes'>

/**
 * How many tokens the server says that prompt and answer may have together; null where it does not say. What is loaded counts before what
 * the model was trained on. Not asked where the connection's owner stated it. Makes no model call.
 */
export async function askContext(
  { protocol, model, limits }: Pick<Connection, 'protocol' | 'model'> & { readonly limits: Pick<Connection['limits'], 'context_tokens'> },
  settings: Settings,
  cancel: AbortSignal,
): Promise<number | null> {
  const signal = AbortSignal.any([cancel, AbortSignal.timeout(mostMs)])
  if (limits.context_tokens !== null || protocol === 'agent_to_agent') return null
  if (protocol === 'ollama' || protocol === 'llama_cpp') {
    const own = await askServer(protocol === 'ollama' ? askShown(model) : askProps, settings, signal)
    if (own !== null || protocol === 'ollama') return own
  }
  const { items } = await listModels(protocol, settings, signal)
  const listed = items.find(item => bareName(item.model) === bareName(model))?.context_tokens ?? null
  if (listed !== null || protocol !== 'openai_chat' || classifyHost(new URL(settings.baseUrl).hostname).reach === 'public') return listed
  return askServer(askLoaded(model), settings, signal)
}

/** Google writes `models/…` and takes its names with and without. */
const bareName = (model: string): string => model.replace(/^models\//, '')

type Ask = (transport: JsonTransport, signal: AbortSignal) => Promise<number | null>

const askShown =
  (model: string): Ask =>
  async (transport, signal) => {
    const reply = await transport.post('/api/show', { model }, signal)
    const info = Shown.safeParse(reply.ok ? reply.value : null).data?.model_info ?? {}
    const [, length] = Object.entries(info).find(([name]) => name.endsWith('.context_length')) ?? []
    return Length.safeParse(length).data ?? null
  }

const askProps: Ask = async (transport, signal) => {
  const props = await transport.get('/props', signal)
  return Props.safeParse(props.ok ? props.value : null).data?.default_generation_settings.n_ctx ?? null
}

/** Of LM Studio, else of Ollama, which both say it beside the protocol of OpenAI only. */
const askLoaded =
  (model: string): Ask =>
  async (transport, signal) => {
    const studio = await transport.get('/api/v1/models', signal)
    const models = Instances.safeParse(studio.ok ? studio.value : null).data?.models ?? []
    const instances = models.flatMap(({ key, loaded_instances }) => loaded_instances.map(({ id, config }) => ({ key, id, ...config })))
    const instance = instances.find(({ id }) => id === model) ?? instances.find(({ key }) => key === model)
    const found = instance?.context_length ?? models.find(({ key }) => key === model)?.max_context_length
    if (found != null || models.length > 0) return found ?? null
    const running = await transport.get('/api/ps', signal)
    const loaded = Loaded.safeParse(running.ok ? running.value : null).data?.models ?? []
    return loaded.find(({ name }) => name === model || name === `${model}:latest`)?.context_length ?? null
  }

/** By the addresses that a server has beside the protocol's. */
async function askServer(ask: Ask, settings: Settings, signal: AbortSignal): Promise<number | null> {
  const transport = createJsonTransport(
    { ...settings, baseUrl: new URL(settings.baseUrl).origin, model: '', maxResponseBytes: mostBytes },
    'the server',
    keyHeaders(bearer(settings.apiKey), settings),
    () => null,
  )
  try {
    return await ask(transport, signal)
  } finally {
    await transport.close()
  }
}
