/** Judges grade what a monitor was sent, too. */
export const occurrenceBudgets = `
create table judge_budgets_next (
  owner_kind text not null check (owner_kind in ('calibration', 'draft', 'occurrence', 'regrade', 'run')), owner_id text not null,
  workspace_id text not null references workspaces, principal_id text not null, fence_seed text not null,
  held_microusd integer not null default 0, charged_microusd integer not null default 0, billed_microusd integer not null default 0,
  is_open integer not null default 1 check (is_open in (0, 1)), holds integer not null default 0, primary key (owner_kind, owner_id)
) strict, without rowid;
insert into judge_budgets_next select * from judge_budgets;
drop table judge_budgets;
alter table judge_budgets_next rename to judge_budgets;
create index judge_budgets_principal on judge_budgets (principal_id);
`
