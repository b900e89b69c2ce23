/**
 * Rates that an owner stated for models of this machine, which charge the wallet from then on; and which tasks were recommended on the
 * results of which models, so that a score on them can be told from one on tasks that were chosen without looking.
 */
export const pricedRoutes = `
create table local_route_rates (
  workspace_id text not null references workspaces, route_id text not null, rates text not null, stated_at text not null,
  primary key (workspace_id, route_id)
) strict, without rowid;
create table informed_selections (
  no integer primary key, workspace_id text not null references workspaces, digest blob not null, created_at text not null,
  unique (workspace_id, digest)
) strict;
create table informed_selection_models (
  workspace_id text not null references workspaces, model text not null, selection_no integer not null references informed_selections,
  left_out integer not null check (left_out in (0, 1)),
  primary key (workspace_id, model, selection_no)
) strict, without rowid;
create table informed_selection_tasks (
  selection_no integer not null references informed_selections, task_no integer not null,
  primary key (selection_no, task_no)
) strict, without rowid;
`
