import type { Effort } from '../../contract/catalog/models.schemas.ts'
import type { ConnectionProtocol } from '../../contract/connections/connections.schemas.ts'
import type { CallNote, ModelRequest } from './model-client.ts'

const all: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Reasoning efforts that a protocol has a place for. Which of them a model takes, only its vendor knows. */
export const effortsOf: Readonly<Record<ConnectionProtocol | 'agent_to_agent', readonly Effort[]>> = {
  openai_chat: all,
  openai_responses: all,
  openai_completions: [],
  openai_embeddings: [],
  anthropic_messages: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  ollama: ['none', 'low', 'medium', 'high', 'max'],
  gemini: ['none', 'minimal', 'low', 'medium', 'high'],
  llama_cpp: all,
  vllm: all,
  agent_to_agent: [],
}

/** Tells that the effort was not sent. Quotes refuse such an effort, so it is only seen where one was made before the endpoint changed. */
export function effortDropped({ effort }: Pick<ModelRequest, 'effort'>, title: string, taken: readonly Effort[]): CallNote[] {
  if (effort === undefined || taken.includes(effort)) return []
  return [{ code: 'parameter_dropped', message: `${title} has no reasoning effort “${effort}”, so it was not sent.` }]
}
