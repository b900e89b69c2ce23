/** Files that examples of a dataset or cases of a session show go with it; until then they stayed as long as the workspace. */
export const mediaOwners = `
alter table media_references add column dataset_no integer references datasets (no) on delete cascade;
alter table media_references add column session_no integer references tune_sessions (no) on delete cascade;
drop index media_references_once;
create unique index media_references_once
  on media_references (workspace_id, digest, coalesce(version_no, 0), coalesce(dataset_no, 0), coalesce(session_no, 0));
create index media_references_of_dataset on media_references (dataset_no) where dataset_no is not null;
create index media_references_of_session on media_references (session_no) where session_no is not null;
`
