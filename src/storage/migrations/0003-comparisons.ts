/**
 * Comparisons, suites, evaluations, and what recommendations search: the words of every task, and the samples that past runs have
 * of a task.
 */
export const comparisons = `
create table comparisons (
  id text primary key, workspace_id text not null references workspaces, name text not null,
  summary text not null check (json_valid(summary)), record text not null check (json_valid(record)),
  tasks blob not null, digest text not null, search text not null, created_at text not null
) strict;
create index comparisons_workspace on comparisons (workspace_id, id);
create trigger comparisons_fixed before update on comparisons begin select raise(abort, 'comparisons are immutable'); end;
create table comparison_runs (
  comparison_id text not null references comparisons, asked_id text not null,
  primary key (asked_id, comparison_id)
) strict, without rowid;

create table suite_versions (
  id text primary key, workspace_id text references workspaces, suite_id text not null, version integer not null check (version >= 1),
  previous_version_id text references suite_versions, name text not null, visibility text not null check (visibility in ('workspace', 'public')),
  summary text not null check (json_valid(summary)), selections blob not null, digest text not null, search text not null, created_at text not null,
  unique (suite_id, version)
) strict;
create index suite_versions_workspace on suite_versions (workspace_id, id);
create unique index suite_versions_previous on suite_versions (previous_version_id) where previous_version_id is not null;
create trigger suite_versions_fixed before update on suite_versions begin select raise(abort, 'suite versions are immutable'); end;

create table evaluations (
  id text primary key, workspace_id text not null references workspaces, run_id text not null unique references runs (id),
  suite_version_id text references suite_versions, selections blob not null, operation_key text, body_digest text not null, created_at text not null
) strict;
create index evaluations_workspace on evaluations (workspace_id, id);
create index evaluations_suite on evaluations (suite_version_id) where suite_version_id is not null;
create unique index evaluations_operation on evaluations (workspace_id, operation_key) where operation_key is not null;

create virtual table task_search using fts5 (preview, capabilities, content = 'tasks', content_rowid = 'no', tokenize = 'porter unicode61 remove_diacritics 2');
insert into task_search (task_search) values ('rebuild');
create virtual table task_terms using fts5vocab (task_search, row);
create trigger tasks_indexed after insert on tasks begin
  insert into task_search (rowid, preview, capabilities) values (new.no, new.preview, new.capabilities);
end;
create trigger tasks_unindexed after delete on tasks begin
  insert into task_search (task_search, rowid, preview, capabilities) values ('delete', old.no, old.preview, old.capabilities);
end;
create index samples_task on samples (task_no, value) where value is not null;
`
