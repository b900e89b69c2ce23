/**
 * Keys that are rolled and metered, purchases, feedback. The ledger's transfers get a number: the order in which they were posted,
 * which a clock that is set back cannot change.
 */
export const workspace = `
alter table api_keys add column origin text not null default 'created' check (origin in ('local', 'created'));
alter table api_keys add column replaces text references api_keys;
alter table api_keys add column meter_id text references api_keys;
alter table api_keys add column stops_at text;
update api_keys set origin = 'local' where name = 'local';
create index api_keys_workspace on api_keys (workspace_id, id);
create index api_keys_meter on api_keys (meter_id) where meter_id is not null;
create unique index api_keys_replaces on api_keys (replaces) where replaces is not null;
create index runs_principal on runs (principal_id);
create index sessions_person on sessions (person_id);
create index members_person on members (person_id);

create table purchases (
  id text primary key, workspace_id text not null references workspaces,
  status text not null check (status in ('open', 'paid', 'refunded', 'disputed', 'expired', 'cancelled')),
  amount_microusd integer not null check (amount_microusd > 0),
  returned_microusd integer not null default 0 check (returned_microusd between 0 and amount_microusd),
  note text not null, created_at text not null, expires_at text not null, paid_at text, closed_at text, receipt_no integer
) strict;
create index purchases_workspace on purchases (workspace_id, id);
create unique index purchases_receipt on purchases (workspace_id, receipt_no) where receipt_no is not null;
create index purchases_open on purchases (expires_at) where status = 'open';

create table transfers_numbered (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces,
  from_account text not null references accounts, to_account text not null references accounts check (to_account <> from_account),
  amount_microusd integer not null check (amount_microusd > 0),
  kind text not null check (kind in ('allotment', 'hold', 'charge', 'release', 'refund', 'dispute')),
  run_id text, purchase_id text references purchases, created_at text not null
) strict;
insert into transfers_numbered (id, workspace_id, from_account, to_account, amount_microusd, kind, run_id, created_at)
  select id, workspace_id, from_account, to_account, amount_microusd, kind, run_id, created_at from transfers order by rowid;
drop table transfers;
alter table transfers_numbered rename to transfers;
create index transfers_workspace on transfers (workspace_id, no);
create index transfers_run on transfers (run_id) where run_id is not null;
create trigger transfers_post after insert on transfers begin
  update accounts set balance_microusd = balance_microusd - new.amount_microusd where id = new.from_account;
  update accounts set balance_microusd = balance_microusd + new.amount_microusd where id = new.to_account;
end;
create trigger transfers_fixed before update on transfers begin select raise(abort, 'transfers are append-only'); end;
create trigger transfers_kept before delete on transfers begin select raise(abort, 'transfers are append-only'); end;

create table feedback (
  id text primary key, workspace_id text not null references workspaces, principal_id text not null,
  status text not null check (status in ('received', 'triaged', 'accepted', 'pr_open', 'shipped', 'declined')),
  kind text not null, severity text not null, summary text not null, details text,
  attempted text check (json_valid(attempted)), expected text, actual text,
  agent text check (json_valid(agent)), client text check (json_valid(client)),
  contact_ok integer not null check (contact_ok in (0, 1)),
  fingerprint text not null, duplicate_of text references feedback, pr_url text, resolution_note text,
  created_at text not null, updated_at text not null
) strict;
create index feedback_workspace on feedback (workspace_id, id);
create index feedback_recent on feedback (workspace_id, created_at);
create index feedback_like on feedback (workspace_id, fingerprint, created_at);
`
