/**
 * Files that examples of a dataset or cases of a session show go with it; until then they stayed as long as the workspace. Files that were
 * kept so get as owners what names them, and those that nothing names have a week, as an upload.
 */
export const mediaOwners = `
alter table media_references add column dataset_no integer references datasets (no) on delete cascade;
alter table media_references add column session_no integer references tune_sessions (no) on delete cascade;
drop index media_references_once;
create unique index media_references_once
  on media_references (workspace_id, digest, coalesce(version_no, 0), coalesce(dataset_no, 0), coalesce(session_no, 0));
create index media_references_of_dataset on media_references (dataset_no) where dataset_no is not null;
create index media_references_of_session on media_references (session_no) where session_no is not null;

insert into media_references (workspace_id, digest, dataset_no, session_no, expires_at)
with workspace as (select distinct workspace_id as id from media_references where version_no is null and expires_at like '9999-12-31%'),
content as (
  select w.id as workspace_id, d.no as dataset_no, null as session_no, r.content
  from workspace w cross join datasets d on d.workspace_id = w.id
  cross join dataset_examples e on e.dataset_no = d.no cross join dataset_revisions r on r.example_no = e.no
  union all
  select w.id, null, s.no, c.content
  from workspace w cross join tune_sessions s on s.workspace_id = w.id cross join tune_cases c on c.session_no = s.no
)
select distinct m.workspace_id, m.digest, c.dataset_no, c.session_no, m.expires_at
-- What follows each "sha256:" of a content, in one pass: a lock file has thousands.
from content c cross join json_each('[' || replace(json_quote(c.content), 'sha256:', '","') || ']') piece
cross join media_references m on m.workspace_id = c.workspace_id and m.digest = substr(piece.value, 1, 64)
where instr(c.content, 'sha256:') > 0 and m.version_no is null and m.expires_at like '9999-12-31%';
update media_references set expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '7 days')
  where coalesce(version_no, dataset_no, session_no) is null and expires_at like '9999-12-31%';
`
