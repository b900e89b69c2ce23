/** Background work: one row for each job, claimed with a fence that every claim, cancellation and retry moves. */
export const jobs = `
create table jobs (
  id text primary key, workspace_id text references workspaces, kind text not null,
  state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  input text not null, subject_type text, subject_id text,
  owner_kind text not null check (owner_kind in ('person', 'api_key', 'service')), owner_id text,
  progress text, checkpoint text, fence integer not null default 0, attempt integer not null default 0,
  error_code text, error_message text,
  created_at text not null, started_at text, finished_at text,
  check ((subject_type is null) = (subject_id is null)),
  check ((owner_kind = 'service') = (owner_id is null))
) strict, without rowid;
create index jobs_open on jobs (state, kind, id) where state in ('queued', 'running');
create index jobs_of_workspace on jobs (workspace_id, id);
create index jobs_of_subject on jobs (subject_type, subject_id, id) where subject_id is not null;
`
