/** How long traces, ended jobs and ended deliveries are kept, with a record of every change and removal. Nothing is removed without a rule. */
export const retention = `
create table retention_rules (
  workspace_id text not null references workspaces, kind text not null, max_age_days integer, max_items integer,
  primary key (workspace_id, kind), check (max_age_days is not null or max_items is not null)
) strict, without rowid;
create table retention_events (
  no integer primary key, workspace_id text not null references workspaces, kind text not null,
  event text not null check (event in ('changed', 'removed')), at text not null, by text,
  max_age_days integer, max_items integer, items integer not null, before text
) strict;
create index retention_events_workspace on retention_events (workspace_id, no desc);
`
