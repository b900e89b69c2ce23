/** Folders of items, and the archiving of those that have no column for it. Benchmarks of tuning sessions begin archived. */
export const itemMarks = `
create table item_marks (
  workspace_id text not null references workspaces, kind text not null, id text not null, folder text, archived_at text,
  primary key (workspace_id, kind, id), check (folder is not null or archived_at is not null)
) strict, without rowid;
create index item_marks_folder on item_marks (workspace_id, kind, folder) where folder is not null;
insert into item_marks select workspace_id, 'benchmark', slug, null, created_at from benchmarks
  where workspace_id is not null and slug glob 'tune-*-*-*-*-*' and slug in (select 'tune-' || id from tune_sessions);
`
