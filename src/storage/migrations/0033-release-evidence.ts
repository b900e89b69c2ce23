/** Evidence from other tools with its bytes, and its analyses. */
export const releaseEvidence = `
create table release_evidence (
  no integer primary key, id text not null unique, workspace_id text not null references workspaces, name text not null,
  format text not null check (format in ('inspect', 'lm_eval', 'promptfoo', 'junit', 'sarif', 'csv', 'manual')),
  sha256 text not null, bytes integer not null, content blob not null, source text not null check (json_valid(source)),
  produced_at text, statement text check (statement is null or json_valid(statement)),
  made_by text not null check (json_valid(made_by)), created_at text not null, unique (workspace_id, sha256, format)
) strict;
create index release_evidence_workspace on release_evidence (workspace_id, id);
create trigger release_evidence_fixed before update on release_evidence begin select raise(abort, 'evidence is immutable'); end;

create table release_analyses (
  no integer primary key, evidence_no integer not null references release_evidence, n integer not null check (n >= 1),
  suite_version_id text, analysis text not null check (json_valid(analysis)), digest text not null, created_at text not null,
  unique (evidence_no, n)
) strict;
create trigger release_analyses_fixed before update on release_analyses begin select raise(abort, 'analyses are immutable'); end;

create table release_analysis_tasks (
  analysis_no integer not null references release_analyses, chunk integer not null, tasks text not null check (json_valid(tasks)),
  primary key (analysis_no, chunk)
) strict, without rowid;
`
