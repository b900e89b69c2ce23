/** Addresses that are told of events, what is sent to them, and which limits were told of. */
export const webhooks = `
create table webhooks (
  id text primary key, workspace_id text not null references workspaces, name text not null, url text not null,
  events text not null check (json_valid(events)), allow_private integer not null check (allow_private in (0, 1)),
  status text not null check (status in ('active', 'disabled')), disabled_reason text, secret blob not null, old_secret_until text,
  created_at text not null, updated_at text not null
) strict;
create index webhooks_workspace on webhooks (workspace_id, id);

create table webhook_deliveries (
  no integer primary key, id text not null unique, webhook_id text not null references webhooks, event text not null, payload text not null,
  status text not null check (status in ('pending', 'delivered', 'dead')), tries integer not null default 0, next_try_at text,
  http_status integer, message text, created_at text not null, finished_at text
) strict;
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, no desc);
create index webhook_deliveries_due on webhook_deliveries (next_try_at) where status = 'pending';

create table webhook_budgets (
  workspace_id text not null references workspaces, subject text not null, told_at text not null,
  primary key (workspace_id, subject)
) strict, without rowid;
`
