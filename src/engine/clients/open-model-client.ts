import type { ConnectionProtocol } from '../../contract/index.ts'
import type { ModelClient } from './model-client.ts'
import { createOpenAiChatClient, type OpenAiChatSettings } from './openai-chat.ts'
import { anthropicMessages } from './wire/anthropic-messages.ts'
import { llamaCpp } from './wire/llama-cpp.ts'
import { ollama } from './wire/ollama.ts'
import { openAiCompletions } from './wire/openai-completions.ts'
import { openAiResponses } from './wire/openai-responses.ts'
import { createWireClient, withLoglikelihoods } from './wire/wire-client.ts'
import type { WireProtocol } from './wire/wire-protocol.ts'

/** What vLLM adds matters for log-likelihoods only; its answers come by chat completions. */
const wireProtocols: Readonly<Record<Exclude<ConnectionProtocol, 'openai_chat' | 'vllm'>, WireProtocol>> = {
  openai_completions: openAiCompletions,
  openai_responses: openAiResponses,
  anthropic_messages: anthropicMessages,
  ollama,
  llama_cpp: llamaCpp,
}

/** A client that speaks the connection's protocol. Streams only where that is chat completions. */
export function openModelClient(protocol: ConnectionProtocol, settings: OpenAiChatSettings): ModelClient {
  if (protocol === 'openai_chat') return createOpenAiChatClient(settings)
  if (protocol === 'vllm') return withLoglikelihoods(createOpenAiChatClient(settings), settings)
  const client = createWireClient(settings, wireProtocols[protocol])
  return protocol === 'openai_completions' ? withLoglikelihoods(client, settings) : client
}
