/** Connections speak more than chat completions, agents among them, and say which capabilities their check is to prove. */
export const connections = `
alter table connections add column protocol text not null default 'openai_chat' check (protocol in
  ('openai_chat', 'openai_completions', 'openai_responses', 'anthropic_messages', 'ollama', 'llama_cpp', 'vllm', 'agent_to_agent'));
alter table connections add column probes text not null default '[]' check (json_valid(probes));
`
