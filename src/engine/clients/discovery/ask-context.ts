import { z } from 'zod'
import type { Connection, ConnectionProtocol } from '../../../contract/index.ts'
import { createJsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { keyHeaders } from '../http/key-headers.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { listModels } from './list-models.ts'

const Length = z.int().min(1)
const Props = z.object({ default_generation_settings: z.object({ n_ctx: Length }) })
const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) })

const mostBytes = 1_000_000

/**
 * How many tokens the server says that prompt and answer may have together; null where it does not say. What is loaded counts before what
 * the model was trained on. Not asked where the connection's owner stated it. Makes no model call.
 */
export async function askContext(
  { protocol, model, limits }: Pick<Connection, 'protocol' | 'model'> & { readonly limits: Pick<Connection['limits'], 'context_tokens'> },
  settings: Omit<TransportSettings, 'model' | 'maxResponseBytes'>,
  signal: AbortSignal,
): Promise<number | null> {
  if (limits.context_tokens !== null || protocol === 'agent_to_agent' || !ofOnesOwn.has(protocol)) return null
  const { origin } = new URL(settings.baseUrl)
  const own = protocol === 'vllm' ? null : await askServer(protocol, model, { ...settings, baseUrl: origin }, signal)
  if (own !== null || protocol === 'ollama') return own
  const { items } = await listModels(protocol, settings, signal)
  return items.find(item => item.model === model)?.context_tokens ?? null
}

/** Servers of one's own. Providers state theirs in the list from which a model is chosen. */
const ofOnesOwn: ReadonlySet<ConnectionProtocol> = new Set(['ollama', 'llama_cpp', 'vllm'])

/** By the addresses that Ollama and llama.cpp have beside the protocol's. */
async function askServer(
  protocol: ConnectionProtocol,
  model: string,
  settings: Omit<TransportSettings, 'model' | 'maxResponseBytes'>,
  signal: AbortSignal,
): Promise<number | null> {
  const transport = createJsonTransport(
    { ...settings, model, maxResponseBytes: mostBytes },
    'the server',
    keyHeaders(bearer(settings.apiKey), settings),
    () => null,
  )
  try {
    if (protocol === 'ollama') {
      const reply = await transport.post('/api/show', { model }, signal)
      const info = Shown.safeParse(reply.ok ? reply.value : null).data?.model_info ?? {}
      const [, length] = Object.entries(info).find(([name]) => name.endsWith('.context_length')) ?? []
      return Length.safeParse(length).data ?? null
    }
    const props = await transport.get('/props', signal)
    return Props.safeParse(props.ok ? props.value : null).data?.default_generation_settings.n_ctx ?? null
  } finally {
    await transport.close()
  }
}
