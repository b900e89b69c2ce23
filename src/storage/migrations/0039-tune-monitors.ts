/** Monitors, what they were told, and the outputs that they graded. */
export const tuneMonitors = `
create table tune_monitors (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces,
  name text not null, status text not null check (status in ('active', 'paused', 'archived')),
  request text not null check (json_valid(request)), session_id text, profile_id text not null,
  target text not null check (json_valid(target)), baseline text not null check (json_valid(baseline)),
  schedule text check (schedule in ('hour', 'day', 'week')), next_run_at text, evaluator_version_id text,
  owner_kind text not null check (owner_kind in ('person', 'api_key')), owner_id text not null,
  detector text not null check (json_valid(detector)), outputs_seen integer not null default 0,
  last_verdict text check (last_verdict in ('improvement', 'ok', 'regression', 'inconclusive')), created_at text not null
) strict;
create index tune_monitors_workspace on tune_monitors (workspace_id, no desc);
create index tune_monitors_due on tune_monitors (next_run_at) where next_run_at is not null;

create table tune_occurrences (
  no integer primary key, id text not null unique, monitor_no integer not null references tune_monitors,
  kind text not null check (kind in ('event', 'workload')), trigger text not null check (json_valid(trigger)), event_key text,
  source text check (source is null or json_valid(source)),
  status text not null check (status in ('accepted', 'running', 'complete', 'failed', 'skipped')),
  skip_reason text check (skip_reason in ('paused', 'cap_reached', 'superseded', 'unauthorized')),
  failure_code text, failure_message text,
  verdict text check (verdict in ('improvement', 'ok', 'regression', 'inconclusive')), reason text,
  quote_id text, run_id text, job_id text not null, n integer, unscored integer, duplicates integer,
  difference text check (difference is null or json_valid(difference)), detector text check (detector is null or json_valid(detector)),
  month text, held_microusd integer not null default 0, spent_microusd integer not null default 0,
  created_at text not null, finished_at text
) strict;
create index tune_occurrences_monitor on tune_occurrences (monitor_no, no desc);
create unique index tune_occurrences_key on tune_occurrences (monitor_no, event_key) where event_key is not null;
create index tune_occurrences_month on tune_occurrences (monitor_no, month);

create table tune_outputs (
  no integer primary key, monitor_no integer not null references tune_monitors, occurrence_no integer not null references tune_occurrences,
  key text not null, at text not null, input text not null, output text not null,
  expected text check (expected is null or json_valid(expected)), graded integer not null default 0 check (graded in (0, 1)),
  value real, explanation text, place integer
) strict;
create unique index tune_outputs_key on tune_outputs (monitor_no, key);
create index tune_outputs_occurrence on tune_outputs (occurrence_no, at, no);
create index tune_outputs_place on tune_outputs (monitor_no, place) where place is not null;
`
