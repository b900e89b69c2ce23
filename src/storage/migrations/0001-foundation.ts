/** The first release's tables. */
export const foundation = `
create table settings (name text primary key, value text not null) strict;

create table idempotency (
  principal_id text not null, operation text not null, key text not null, body_digest text not null,
  status integer, body text, created_at text not null,
  primary key (principal_id, operation, key)
) strict, without rowid;
create index idempotency_age on idempotency (created_at);

create table transitions (
  no integer primary key, resource text not null, resource_id text not null, event text not null,
  from_state text not null, to_state text not null, at text not null, note text
) strict;
create index transitions_resource on transitions (resource_id);

create table workspaces (id text primary key, name text not null, created_at text not null) strict;
create table people (id text primary key, name text not null, created_at text not null) strict;
create table members (
  workspace_id text not null references workspaces, person_id text not null references people,
  role text not null check (role in ('owner', 'admin', 'member')), created_at text not null,
  primary key (workspace_id, person_id)
) strict, without rowid;
create table sessions (
  id text primary key, person_id text not null references people, token_hash text not null unique,
  kind text not null check (kind in ('host', 'browser')), created_at text not null, expires_at text not null, ended_at text
) strict;
create table pairing_codes (
  code_hash text primary key, person_id text not null references people, created_at text not null, expires_at text not null, used_at text
) strict;
create table api_keys (
  id text primary key, workspace_id text not null references workspaces, name text not null, token_hash text not null unique,
  prefix text not null, scopes text not null check (json_valid(scopes)),
  ceiling_microusd integer check (ceiling_microusd >= 0),
  created_at text not null, expires_at text, revoked_at text, last_used_at text
) strict;

create table benchmarks (
  no integer primary key, workspace_id text references workspaces, slug text not null,
  origin text not null check (origin in ('bundled', 'recipe', 'imported')),
  status text not null check (status in ('candidate', 'active', 'quarantined', 'retired')),
  title text not null, runner text not null, definition text not null check (json_valid(definition)), search text not null, created_at text not null
) strict;
create unique index benchmarks_slug on benchmarks (coalesce(workspace_id, ''), slug);

create table benchmark_versions (
  no integer primary key, benchmark_no integer not null references benchmarks, version text not null, source_ref text not null,
  digest text not null, task_count integer not null, files text not null, shots text not null,
  state text not null check (state in ('staging', 'ready')), created_at text not null,
  unique (benchmark_no, version)
) strict;
create index benchmark_versions_ref on benchmark_versions (source_ref);

create table profiles (
  id text not null, version_no integer not null references benchmark_versions on delete cascade, position integer not null,
  definition text not null check (json_valid(definition)), prompt_digest text not null,
  primary key (version_no, position)
) strict;
create index profiles_id on profiles (id);

create table tasks (
  no integer primary key, version_no integer not null references benchmark_versions on delete cascade, position integer not null,
  task_id text not null, split text not null check (split in ('test', 'canonical')), preview text not null,
  input_characters integer not null, choices integer, capabilities text not null, depends_on text not null, facets text not null,
  content blob not null,
  unique (version_no, task_id)
) strict;
create unique index tasks_position on tasks (version_no, position);

create table imports (
  id text primary key, workspace_id text not null references workspaces,
  status text not null check (status in ('validating', 'previewed', 'imported', 'failed')),
  record text not null check (json_valid(record)), created_at text not null
) strict;

create table connections (
  id text primary key, workspace_id text not null references workspaces,
  kind text not null check (kind in ('openai_compatible', 'agent_to_agent')),
  name text not null, base_url text not null, model text not null, streaming integer not null check (streaming in (0, 1)),
  limits text not null, rates text, secret blob, secret_origin text,
  has_api_key integer not null check (has_api_key in (0, 1)), header_names text not null,
  status text not null check (status in ('unchecked', 'ready', 'failing', 'disabled')), last_check text,
  created_at text not null, updated_at text not null
) strict;
create index connections_workspace on connections (workspace_id, id);

create table quotes (
  id text primary key, workspace_id text not null references workspaces, created_at text not null, expires_at text not null,
  record text not null check (json_valid(record)), task_numbers blob not null
) strict;

create table runs (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces,
  quote_id text not null references quotes, operation_key text, principal_id text not null, name text not null,
  status text not null check (status in ('queued', 'running', 'cancelling', 'complete', 'partial', 'failed', 'cancelled')),
  accounting_state text not null check (accounting_state in ('none', 'held', 'metering', 'settled')),
  stop_code text, stop_message text,
  frozen integer not null, retries integer not null default 0, unknown_calls integer not null default 0,
  max_charge_microusd integer not null check (max_charge_microusd >= 0),
  held_microusd integer not null default 0 check (held_microusd >= 0),
  charged_microusd integer not null default 0 check (charged_microusd >= 0),
  result_version integer, dictionary blob, search text not null,
  created_at text not null, started_at text, finished_at text
) strict;
create unique index runs_operation on runs (quote_id, operation_key) where operation_key is not null;
create index runs_workspace on runs (workspace_id, id);
create index runs_open on runs (status) where status in ('queued', 'running', 'cancelling');

create table run_counts (
  run_no integer not null references runs, status text not null, n integer not null check (n >= 0),
  primary key (run_no, status)
) strict, without rowid;

create table samples (
  run_no integer not null references runs, position integer not null, profile_no integer not null, task_no integer not null, epoch integer not null,
  status text not null check (status in ('pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled')),
  fence integer not null default 0, attempts integer not null default 0,
  passed integer check (passed in (0, 1)), value real, error_code text, error_message text,
  latency_ms real, input_tokens integer, output_tokens integer, output_preview text, finished_at integer,
  primary key (run_no, position)
) strict, without rowid;
create index samples_status on samples (run_no, status, position);
create trigger samples_moved after update of status on samples when old.status <> new.status begin
  update run_counts set n = n - 1 where run_no = old.run_no and status = old.status;
  insert into run_counts (run_no, status, n) values (new.run_no, new.status, 1) on conflict do update set n = n + 1;
end;

create table attempts (
  run_no integer not null, position integer not null, number integer not null,
  status text not null check (status in ('started', 'answered', 'failed', 'unknown')),
  started_at integer not null, finished_at integer, latency_ms real, error_code text, error_message text, http_status integer,
  finish_reason text, refused integer not null default 0 check (refused in (0, 1)),
  input_tokens integer, output_tokens integer, tokens_source text, charged_microusd integer not null default 0, transcript blob,
  primary key (run_no, position, number),
  foreign key (run_no, position) references samples
) strict, without rowid;

create table scores (
  run_no integer not null, position integer not null, metric_no integer not null, version integer not null,
  value real, class text not null, answer text, answer_start integer, answer_end integer, explanation text not null,
  primary key (run_no, position, metric_no, version),
  foreign key (run_no, position) references samples
) strict, without rowid;

create table results (
  run_no integer not null references runs, version integer not null, created_at text not null, record text not null check (json_valid(record)),
  primary key (run_no, version)
) strict, without rowid;

create table accounts (
  id text primary key, workspace_id text not null references workspaces,
  kind text not null check (kind in ('funding', 'budget', 'held', 'spent', 'suspense')), balance_microusd integer not null default 0,
  unique (workspace_id, kind)
) strict;
create table transfers (
  id text primary key, workspace_id text not null references workspaces, from_account text not null references accounts,
  to_account text not null references accounts check (to_account <> from_account),
  amount_microusd integer not null check (amount_microusd > 0),
  kind text not null check (kind in ('allotment', 'hold', 'charge', 'release', 'refund')), run_id text, created_at text not null
) strict;
create index transfers_workspace on transfers (workspace_id, created_at);
create index transfers_run on transfers (run_id);
create trigger transfers_post after insert on transfers begin
  update accounts set balance_microusd = balance_microusd - new.amount_microusd where id = new.from_account;
  update accounts set balance_microusd = balance_microusd + new.amount_microusd where id = new.to_account;
end;
create trigger transfers_fixed before update on transfers begin select raise(abort, 'transfers are append-only'); end;
create trigger transfers_kept before delete on transfers begin select raise(abort, 'transfers are append-only'); end;
create trigger results_fixed before update on results begin select raise(abort, 'results are immutable'); end;
`
