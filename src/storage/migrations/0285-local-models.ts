/** GGUF files of this machine: headers and identities by path, kept while size and time of change stay the same. */
export const localModels = `
create table local_model_files (
  path text primary key,
  size_bytes integer not null,
  modified_ms real not null,
  header text not null,
  sha256 text,
  is_added integer not null default 0 check (is_added in (0, 1)),
  read_at text not null
) strict;
create table local_model_folders (
  id text primary key,
  path text not null unique,
  added_at text not null
) strict;
create table local_model_settings (
  no integer primary key check (no = 1),
  settings text not null
) strict;
`
