/** Evaluators in runs: what a regrade by a judge may cost is quoted first. */
export const runEvaluators = `
create table regrade_quotes (
  id text primary key, workspace_id text not null references workspaces, run_no integer not null, evaluator_version_id text not null references evaluator_versions,
  record text not null check (json_valid(record)), created_at text not null, expires_at text not null, used_at text
) strict;
`
