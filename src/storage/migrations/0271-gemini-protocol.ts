/** A connection may speak Gemini’s own protocol. SQLite changes no check, so the column is made again. */
export const geminiProtocol = `
alter table connections add column spoken text not null default 'openai_chat' check (spoken in
  ('openai_chat', 'openai_completions', 'openai_responses', 'anthropic_messages', 'gemini', 'ollama', 'llama_cpp', 'vllm', 'agent_to_agent'));
update connections set spoken = protocol;
alter table connections drop column protocol;
alter table connections rename column spoken to protocol;
`
