import type { ConnectionProtocol } from '../../../contract/connections/connections.schemas.ts'
import type { RequestSettings } from '../../../contract/connections/request-settings.schemas.ts'
import { cacheMarkOf } from './cache-marks.ts'
import type { SpokenProtocol } from './sent-parts.ts'
import { isObject } from '../../../lib/json-value.ts'

type Placed = 'top_p' | 'top_k' | 'seed' | 'frequency_penalty' | 'chat_template_kwargs' | 'response_format'
type Places = { readonly [Setting in Placed]?: (value: NonNullable<RequestSettings[Setting]>) => Record<string, unknown> }

/** A seed that a check sends where none is set, to learn whether one is taken. */
export const probingSeed = 1

const jsonSchema = ({ name, schema, strict }: NonNullable<RequestSettings['response_format']>) => ({
  type: 'json_schema',
  json_schema: { name, schema, strict },
})

const chat: Places = {
  top_p: top_p => ({ top_p }),
  top_k: top_k => ({ top_k }),
  seed: seed => ({ seed }),
  frequency_penalty: frequency_penalty => ({ frequency_penalty }),
  chat_template_kwargs: chat_template_kwargs => ({ chat_template_kwargs }),
  response_format: format => ({ response_format: jsonSchema(format) }),
}

/** Where each protocol has a setting; what is missing it does not have. */
const places: Readonly<Record<ConnectionProtocol, Places>> = {
  openai_chat: chat,
  vllm: chat,
  // llama.cpp has read the schema beside the type before it read it as OpenAI sends it.
  llama_cpp: { ...chat, response_format: format => ({ response_format: { ...jsonSchema(format), schema: format.schema } }) },
  openai_completions: {
    top_p: top_p => ({ top_p }),
    top_k: top_k => ({ top_k }),
    seed: seed => ({ seed }),
    frequency_penalty: frequency_penalty => ({ frequency_penalty }),
  },
  openai_embeddings: {},
  openai_responses: {
    top_p: top_p => ({ top_p }),
    response_format: ({ name, schema, strict }) => ({ text: { format: { type: 'json_schema', name, schema, strict } } }),
  },
  anthropic_messages: {
    top_p: top_p => ({ top_p }),
    top_k: top_k => ({ top_k }),
    response_format: ({ schema }) => ({ output_config: { format: { type: 'json_schema', schema } } }),
  },
  ollama: {
    top_p: top_p => ({ options: { top_p } }),
    top_k: top_k => ({ options: { top_k } }),
    seed: seed => ({ options: { seed } }),
    frequency_penalty: frequency_penalty => ({ options: { frequency_penalty } }),
    response_format: ({ schema }) => ({ format: schema }),
  },
  gemini: {
    top_p: topP => ({ generationConfig: { topP } }),
    top_k: topK => ({ generationConfig: { topK } }),
    seed: seed => ({ generationConfig: { seed } }),
    frequency_penalty: frequencyPenalty => ({ generationConfig: { frequencyPenalty } }),
    response_format: ({ schema }) => ({ generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } }),
  },
}

const withoutStop: ReadonlySet<ConnectionProtocol> = new Set(['openai_responses', 'openai_embeddings'])
const withoutRoles: ReadonlySet<ConnectionProtocol> = new Set(['openai_completions', 'openai_embeddings'])

/** Whether a protocol has a form for structured output. */
export const takesFormat = (protocol: SpokenProtocol): boolean =>
  protocol !== 'agent_to_agent' && protocol !== 'gguf_file' && places[protocol].response_format !== undefined

/** Settings that a protocol, or the model behind it, has no place for, by name. */
export function unplacedSettings(protocol: ConnectionProtocol, model: string, settings: RequestSettings): string[] {
  const lacks = (name: Placed) => settings[name] !== null && places[protocol][name] === undefined
  return [
    ...placed.filter(lacks),
    ...(settings.stop.length > 0 && withoutStop.has(protocol) ? ['stop'] : []),
    ...(settings.prompt_cache && cacheMarkOf(protocol, model) === null ? ['prompt_cache'] : []),
    ...(settings.system_as_user && withoutRoles.has(protocol) ? ['system_as_user'] : []),
  ]
}

export const takesSeed = (protocol: ConnectionProtocol): boolean => places[protocol].seed !== undefined
export const hasSystemRole = (protocol: ConnectionProtocol): boolean => !withoutRoles.has(protocol)

const placed = ['top_p', 'top_k', 'seed', 'frequency_penalty', 'chat_template_kwargs', 'response_format'] as const

/** The settings as they go into a body, to be merged with it. The same settings give the same bytes. */
export function placeSettings(protocol: ConnectionProtocol, settings: RequestSettings): Readonly<Record<string, unknown>> {
  const { top_p, top_k, seed, frequency_penalty, chat_template_kwargs, response_format } = settings
  const own = places[protocol]
  return [
    top_p === null ? {} : own.top_p?.(top_p),
    top_k === null ? {} : own.top_k?.(top_k),
    seed === null ? {} : own.seed?.(seed),
    frequency_penalty === null ? {} : own.frequency_penalty?.(frequency_penalty),
    chat_template_kwargs === null ? {} : own.chat_template_kwargs?.(chat_template_kwargs),
    response_format === null ? {} : own.response_format?.(response_format),
    settings.extra_body,
  ].reduce<Record<string, unknown>>((body, part) => mergeBodies(body, part ?? {}), {})
}

/** Objects are merged by their keys; everything else is replaced. */
export function mergeBodies(body: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = { ...body }
  for (const [key, value] of Object.entries(more)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? mergeBodies(before, value) : value
  }
  return merged
}
