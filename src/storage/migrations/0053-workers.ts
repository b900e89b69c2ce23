/** Machines that work for this service. */
export const workers = `
create table workers (
  id text primary key, workspace_id text not null references workspaces, name text not null, labels text not null, sandboxes text not null,
  slots integer not null check (slots > 0), busy integer not null check (busy >= 0), version text not null, samples integer not null default 0,
  status text not null check (status in ('active', 'draining', 'left', 'lost')), joined_at text not null, last_seen_at text not null
) strict;
create index workers_by_workspace on workers (workspace_id, id);
`
