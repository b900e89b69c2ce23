/** Tuning sessions, the revisions of their drafts, and their cases. */
export const tuneSessions = `
create table tune_sessions (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces,
  name text not null, search text not null,
  status text not null check (status in ('draft', 'approved', 'quoted', 'running', 'complete', 'partial', 'failed', 'cancelled')),
  automation integer not null check (automation in (0, 1)), revision integer not null,
  case_count integer not null, case_bytes integer not null, next_position integer not null,
  owner_kind text not null check (owner_kind in ('person', 'api_key')), owner_id text not null, principal_id text not null,
  approval text check (approval is null or json_valid(approval)), benchmark text check (benchmark is null or json_valid(benchmark)),
  conclusion text check (conclusion is null or json_valid(conclusion)),
  created_at text not null, updated_at text not null
) strict;
create index tune_sessions_workspace on tune_sessions (workspace_id, no desc);

create table tune_drafts (
  session_no integer not null references tune_sessions on delete cascade, revision integer not null,
  name text not null, case_count integer not null,
  call text check (call is null or json_valid(call)), grader text check (grader is null or json_valid(grader)),
  objective text not null check (json_valid(objective)), updated_at text not null,
  primary key (session_no, revision)
) strict, without rowid;

-- A row holds for the revisions from from_revision to before until_revision.
create table tune_cases (
  session_no integer not null references tune_sessions on delete cascade, position integer not null, from_revision integer not null,
  until_revision integer, id text not null, content text not null check (json_valid(content)), digest blob not null,
  cluster text, origin text check (origin is null or json_valid(origin)), edited text check (edited is null or json_valid(edited)),
  primary key (session_no, position, from_revision)
) strict;
create unique index tune_cases_current on tune_cases (session_no, id) where until_revision is null;
`
