/** Prompt searches of tuning sessions; what their proposals cost. */
export const tuneSearches = `
create table tune_searches (
  no integer primary key, id text not null unique, session_no integer not null references tune_sessions on delete cascade,
  quote_id text not null unique references tune_quotes, operation_key text not null,
  status text not null check (status in ('running', 'complete', 'failed', 'cancelled')),
  state text not null check (json_valid(state)), principal_id text not null, job_id text not null,
  created_at text not null, finished_at text, unique (session_no, operation_key)
) strict;

create table judge_budgets_next (
  owner_kind text not null check (owner_kind in ('calibration', 'draft', 'occurrence', 'regrade', 'run', 'search')), owner_id text not null,
  workspace_id text not null references workspaces, principal_id text not null, fence_seed text not null,
  held_microusd integer not null default 0, charged_microusd integer not null default 0, billed_microusd integer not null default 0,
  is_open integer not null default 1 check (is_open in (0, 1)), holds integer not null default 0, primary key (owner_kind, owner_id)
) strict, without rowid;
insert into judge_budgets_next select * from judge_budgets;
drop table judge_budgets;
alter table judge_budgets_next rename to judge_budgets;
create index judge_budgets_principal on judge_budgets (principal_id);
`
