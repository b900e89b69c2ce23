/** A connection may return embeddings, and an evaluator compare them. SQLite changes no check, so the columns are made again. */
export const embeddings = `
alter table connections add column spoken text not null default 'openai_chat' check (spoken in
  ('openai_chat', 'openai_completions', 'openai_responses', 'openai_embeddings', 'anthropic_messages', 'gemini', 'ollama', 'llama_cpp', 'vllm',
   'agent_to_agent'));
update connections set spoken = protocol;
alter table connections drop column protocol;
alter table connections rename column spoken to protocol;

drop trigger evaluator_versions_fixed;
alter table evaluator_versions add column sort text not null default 'deterministic' check (sort in
  ('deterministic', 'model_graded', 'embedding', 'remote', 'composite'));
update evaluator_versions set sort = kind;
alter table evaluator_versions drop column kind;
alter table evaluator_versions rename column sort to kind;
create trigger evaluator_versions_fixed before update on evaluator_versions begin select raise(abort, 'evaluator versions are immutable'); end;
`
