import type { Connection } from '../../contract/connections/connections.schemas.ts'

export const protocolWords: Readonly<Record<Connection['protocol'], string>> = {
  openai_chat: 'OpenAI-compatible chat',
  openai_completions: 'OpenAI completions, for base models',
  openai_embeddings: 'OpenAI embeddings, for similarity',
  openai_responses: 'OpenAI responses',
  anthropic_messages: 'Anthropic messages',
  gemini: 'Gemini',
  ollama: 'Ollama',
  llama_cpp: 'llama.cpp server',
  vllm: 'vLLM',
  agent_to_agent: 'Agent-to-agent (A2A 1.0)',
}
