/** Worlds that are drafted in the background, of traces or of files. */
export const worldDrafts = `
create table world_drafts (
  id text primary key, workspace_id text not null references workspaces, job_id text not null, title text not null,
  source text check (json_valid(source)), worlds text check (json_valid(worlds)), created_at text not null
) strict;
create index world_drafts_workspace on world_drafts (workspace_id, id);
`
