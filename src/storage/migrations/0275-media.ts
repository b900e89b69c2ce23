/** Images, recordings and documents: a row for each file in `media/`, and who may read it. */
export const media = `
create table media (
  digest text primary key check (length(digest) = 64),
  media_type text not null,
  bytes integer not null check (bytes > 0),
  width integer,
  height integer,
  duration_ms integer,
  pages integer,
  cautions text not null,
  created_at text not null
) strict, without rowid;

-- By a version of a benchmark for as long as that exists; without one until expires_at: an upload, or the preview of an import.
create table media_references (
  no integer primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  digest text not null references media (digest),
  version_no integer references benchmark_versions (no) on delete cascade,
  expires_at text,
  check ((version_no is null) = (expires_at is not null))
) strict;
create unique index media_references_once on media_references (workspace_id, digest, coalesce(version_no, 0));
create index media_references_of_digest on media_references (digest);
create index media_references_of_version on media_references (version_no) where version_no is not null;
`
