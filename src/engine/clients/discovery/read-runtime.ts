import { z } from 'zod'
import { ModelName } from '../../../contract/connections/connections.schemas.ts'
import type { FoundModel, FoundRuntime } from '../../../contract/connections/presets.schemas.ts'

/** What one look at a port is worth: a runtime by what it says of itself, never by its port. */
export type Recognized = Pick<FoundRuntime, 'title' | 'protocol'> & { readonly models: FoundModel[]; readonly path: string }

const Context = z.int().min(1).nullish().catch(null)
const OllamaModel = z.object({
  name: ModelName,
  remote_host: z.string().nullish(),
  details: z.object({ context_length: Context }).nullish().catch(null),
})
const Ollama = z.object({ models: z.array(z.unknown()) })
/** One that no connection takes is left out. */
const Name = ModelName.nullable().catch(null)
const LmStudio = z.object({ models: z.array(z.object({ key: Name, type: z.string(), max_context_length: Context })) })
const OpenAi = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: Name,
      owned_by: z.string().nullish(),
      max_model_len: Context,
      meta: z.object({ n_ctx_train: Context }).nullish(),
    }),
  ),
})

/** `GET /api/tags`. */
export function readOllama(value: unknown): Recognized | null {
  const found = Ollama.safeParse(value)
  if (!found.success) return null
  const { models } = found.data
  const readable = models.flatMap(model => OllamaModel.safeParse(model).data ?? [])
  if (readable.length === 0 && models.length > 0) return null
  return {
    title: 'Ollama',
    protocol: 'ollama',
    path: '',
    models: readable.map(({ name, remote_host, details }) => ({
      model: name,
      context_tokens: details?.context_length ?? null,
      leaves_machine: remote_host != null && remote_host !== '',
    })),
  }
}

/** `GET /api/v1/models`. */
export function readLmStudio(value: unknown): Recognized | null {
  const found = LmStudio.safeParse(value)
  if (!found.success) return null
  const models = found.data.models.filter(({ type }) => type === 'llm')
  return {
    title: 'LM Studio',
    protocol: 'openai_chat',
    path: '/v1',
    models: models.flatMap(({ key, max_context_length: context }) => modelOf(key, context)),
  }
}

/** `GET /v1/models`, which nearly every server has. */
export function readOpenAiModels(value: unknown): Recognized | null {
  const found = OpenAi.safeParse(value)
  if (!found.success) return null
  const { data } = found.data
  const models = data.flatMap(({ id, max_model_len, meta }) => modelOf(id, max_model_len ?? meta?.n_ctx_train))
  if (data.some(({ owned_by, max_model_len }) => owned_by === 'vllm' && max_model_len != null))
    return { title: 'vLLM', protocol: 'vllm', path: '/v1', models }
  if (data.some(({ owned_by }) => owned_by === 'llamacpp')) return { title: 'llama.cpp', protocol: 'llama_cpp', path: '/v1', models }
  return { title: 'OpenAI-compatible server', protocol: 'openai_chat', path: '/v1', models }
}

function modelOf(model: string | null, context: number | null | undefined): FoundModel[] {
  return model === null ? [] : [{ model, context_tokens: context ?? null, leaves_machine: false }]
}
