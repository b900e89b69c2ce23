/** Runs that were quoted, started and are compared together. A deleted run keeps its row, so its place stays. */
export const runGroups = `
create table run_groups (
  id text primary key, workspace_id text not null references workspaces, name text not null,
  comparison_id text references comparisons, created_at text not null
) strict, without rowid;
create index run_groups_workspace on run_groups (workspace_id, id);
create table run_group_runs (
  group_id text not null references run_groups, position integer not null, run_id text not null references runs (id),
  primary key (group_id, position)
) strict, without rowid;
create unique index run_group_runs_run on run_group_runs (run_id);
`
