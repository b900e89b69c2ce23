/**
 * Evaluators, their calibrations and drafts, remote scorers, and every call of a judge. A judge's calls belong to an owner: the calibration,
 * draft, run or regrade that they were made for. What an owner other than a run may spend, and has spent, is in judge_budgets; runs
 * keep their own.
 */
export const evaluators = `
create table remote_scorers (
  id text primary key, workspace_id text not null references workspaces, name text not null, url text not null, description text not null,
  status text not null check (status in ('active', 'disabled')), disabled_reason text, timeout_ms integer not null,
  max_concurrency integer not null, header_names text not null check (json_valid(header_names)), allow_private integer not null check (allow_private in (0, 1)),
  secret blob not null, old_secret_until text, last_test text check (json_valid(last_test)), created_at text not null, updated_at text not null
) strict;
create index remote_scorers_workspace on remote_scorers (workspace_id, id);

create table evaluator_versions (
  id text primary key, workspace_id text not null references workspaces, evaluator_id text not null, version integer not null check (version >= 1),
  previous_version_id text unique references evaluator_versions, name text not null, description text not null,
  kind text not null check (kind in ('deterministic', 'model_graded', 'remote', 'composite')), definition text not null check (json_valid(definition)),
  digest text not null, depth integer not null check (depth between 1 and 4), model_calls integer not null, sandbox integer not null check (sandbox in (0, 1)),
  search text not null, created_at text not null, unique (evaluator_id, version)
) strict;
create index evaluator_versions_workspace on evaluator_versions (workspace_id, id);
create trigger evaluator_versions_fixed before update on evaluator_versions begin select raise(abort, 'evaluator versions are immutable'); end;
create trigger evaluator_versions_kept before delete on evaluator_versions begin select raise(abort, 'evaluator versions are immutable'); end;

create table judge_budgets (
  owner_kind text not null check (owner_kind in ('calibration', 'draft', 'regrade', 'run')), owner_id text not null,
  workspace_id text not null references workspaces, principal_id text not null, fence_seed text not null,
  held_microusd integer not null default 0, charged_microusd integer not null default 0, billed_microusd integer not null default 0,
  is_open integer not null default 1 check (is_open in (0, 1)), holds integer not null default 0, primary key (owner_kind, owner_id)
) strict, without rowid;
create index judge_budgets_principal on judge_budgets (principal_id);

create table judge_calls (
  no integer primary key, owner_kind text not null, owner_id text not null, item text not null, evaluator_version_id text not null,
  judge integer not null, vote integer not null, ask_order text not null check (ask_order in ('ab', 'ba')), criterion text not null default '',
  repair integer not null check (repair in (0, 1)), attempt integer not null check (attempt >= 1),
  status text not null check (status in ('open', 'answered', 'failed', 'unknown')), started_at integer not null, finished_at integer, latency_ms real,
  error_code text, error_message text, http_status integer, finish_reason text, input_tokens integer, output_tokens integer,
  charged_microusd integer not null default 0, billed_microusd integer not null default 0, verdict text, output text, structured text, transcript blob,
  unique (owner_kind, owner_id, item, evaluator_version_id, judge, vote, ask_order, criterion, repair, attempt)
) strict;

create table remote_calls (
  no integer primary key, owner_kind text not null, owner_id text not null, item text not null, remote_scorer_id text not null references remote_scorers,
  request_id text not null, tries integer not null, http_status integer, code text, reason text, value real, started_at integer not null, finished_at integer not null
) strict;
create index remote_calls_owner on remote_calls (owner_kind, owner_id, item);

create table calibrations (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, job_id text not null,
  evaluator_version_id text not null references evaluator_versions, evaluator_id text not null, dataset_version_id text not null,
  status text not null check (status in ('pending', 'running', 'resolved', 'failed')), request text not null check (json_valid(request)),
  done integer not null default 0, total integer not null, figures text check (json_valid(figures)), verdict text,
  failure_code text, failure_message text, created_at text not null, finished_at text
) strict;
create index calibrations_workspace on calibrations (workspace_id, no);
create index calibrations_evaluator on calibrations (evaluator_id, no);
create index calibrations_version on calibrations (evaluator_version_id, no);

create table calibration_items (
  calibration_no integer not null references calibrations, position integer not null, example_id text not null, revision integer not null,
  label text, by_people integer not null check (by_people in (0, 1)), value real, prediction text not null check (json_valid(prediction)),
  verdict text, agrees integer check (agrees in (0, 1)), explanation text not null, pairs integer not null, flips integer not null,
  votes text not null check (json_valid(votes)), primary key (calibration_no, position)
) strict, without rowid;

create table evaluator_drafts (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, job_id text not null,
  dataset_version_id text not null, status text not null check (status in ('queued', 'running', 'ready', 'failed')),
  request text not null check (json_valid(request)), done integer not null default 0, total integer not null, result text check (json_valid(result)),
  failure_code text, failure_message text, created_at text not null, finished_at text
) strict;
create index evaluator_drafts_workspace on evaluator_drafts (workspace_id, no);
`
