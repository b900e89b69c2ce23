/** Quotes, run groups and arms of tuning sessions; runs that wait at a gate. */
export const tuneGroups = `
alter table runs add column gate integer;

create table tune_quotes (
  id text primary key, session_no integer not null references tune_sessions on delete cascade,
  record text not null check (json_valid(record)), used integer not null check (used in (0, 1)), created_at text not null
) strict;
create index tune_quotes_session on tune_quotes (session_no, id);

create table tune_groups (
  no integer primary key, id text not null unique, session_no integer not null references tune_sessions on delete cascade,
  number integer not null, quote_id text not null unique references tune_quotes, operation_key text not null,
  status text not null check (status in ('running', 'complete', 'partial', 'failed', 'cancelled')),
  look integer not null, job_id text not null, conclusion text check (conclusion is null or json_valid(conclusion)),
  started_at text not null, finished_at text, unique (session_no, number), unique (session_no, operation_key)
) strict;

create table tune_arms (
  group_no integer not null references tune_groups on delete cascade, arm integer not null, label text not null, run_id text not null,
  verdict text check (verdict in ('accepted', 'dropped', 'undecided')), reason text, looks text not null check (json_valid(looks)),
  figures text check (figures is null or json_valid(figures)),
  primary key (group_no, arm)
) strict, without rowid;
`
