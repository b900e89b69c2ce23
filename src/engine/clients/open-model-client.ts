import type { ConnectionProtocol } from '../../contract/connections/connections.schemas.ts'
import type { BatchSettings } from './batches/batch-lane.ts'
import type { TransportSettings } from './http/json-transport.ts'
import type { MediaSource } from './media-source.ts'
import type { ModelClient } from './model-client.ts'
import type { EndpointOptions } from './wire/fit-request.ts'
import { anthropicMessages } from './wire/anthropic-messages.ts'
import { gemini } from './wire/gemini.ts'
import { llamaCpp } from './wire/llama-cpp.ts'
import { ollama } from './wire/ollama.ts'
import { openAiChat } from './wire/openai-chat.ts'
import { openAiCompletions } from './wire/openai-completions.ts'
import { openAiEmbeddings } from './wire/openai-embeddings.ts'
import { openAiResponses } from './wire/openai-responses.ts'
import { createWireClient, withLoglikelihoods } from './wire/wire-client.ts'
import type { WireProtocol } from './wire/wire-protocol.ts'

/** What vLLM adds matters for log-likelihoods only; its answers come by chat completions. */
const wireProtocols: Readonly<Record<Exclude<ConnectionProtocol, 'openai_chat' | 'vllm'>, () => WireProtocol>> = {
  openai_completions: () => openAiCompletions,
  openai_embeddings: () => openAiEmbeddings,
  openai_responses: () => openAiResponses,
  anthropic_messages: () => anthropicMessages,
  ollama,
  llama_cpp: () => llamaCpp,
  gemini: () => gemini,
}

export type { MediaSource }

export interface ModelSettings extends TransportSettings, EndpointOptions {
  /** Where the bytes of media come from; absent: requests with media fail. */
  readonly media?: MediaSource
  /** Ask for answers token by token, where the protocol is chat completions; elsewhere they come whole. */
  readonly streaming: boolean
  /** Where calls of a run in batch mode are kept; absent: each call is made by itself. */
  readonly batch?: BatchSettings
}

/** A client that speaks the connection's protocol. */
export function openModelClient(protocol: ConnectionProtocol, given: ModelSettings): ModelClient {
  const isWhole = given.parameters?.streaming === false || given.batch !== undefined
  const settings = isWhole ? { ...given, streaming: false } : given
  const wire = protocol === 'openai_chat' || protocol === 'vllm' ? openAiChat(settings) : wireProtocols[protocol]()
  const client = createWireClient(settings, wire, protocol)
  return protocol === 'vllm' || protocol === 'openai_completions' ? withLoglikelihoods(client, settings) : client
}
