/** Environments that a workspace makes: each version as it was sent, so that it can be edited and compared. */
export const worldVersions = `
create table world_versions (
  id text primary key, workspace_id text not null references workspaces, slug text not null, title text not null, version text not null,
  source_ref text not null, profile_ids text not null, previous_version_id text references world_versions, tool_count integer not null,
  task_count integer not null, definition text not null, created_at text not null,
  unique (workspace_id, slug, version)
) strict, without rowid;
create index world_versions_by_time on world_versions (workspace_id, created_at, id);
`
