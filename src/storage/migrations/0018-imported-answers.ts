/** Runs whose answers were imported, what their logs said of them, and the imports themselves. */
export const importedAnswers = `
alter table runs add column answers text not null default 'model' check (answers in ('model', 'importing', 'imported'));
alter table runs add column answers_digest text;
create table answer_imports (
  id text primary key, workspace_id text not null references workspaces,
  status text not null check (status in ('validating', 'previewed', 'imported', 'failed')),
  job_id text not null, principal_id text not null,
  form text not null check (json_valid(form)), record text not null check (json_valid(record)), created_at text not null
) strict, without rowid;
create index answer_imports_of_workspace on answer_imports (workspace_id, id);
create table log_scores (
  run_no integer not null references runs, position integer not null, name text not null, value real not null,
  primary key (run_no, position, name)
) strict, without rowid;
`
