/** Namespaces, benchmark packages, their reviews, and the profiles that they give. */
export const creator = `
create table creator_namespaces (
  name text primary key, skeleton text not null unique, workspace_id text not null references workspaces,
  title text not null, description text not null,
  verification text not null check (verification in ('none', 'key_registered', 'key_confirmed')),
  public_key text, key_fingerprint text, created_at text not null
) strict;
create index creator_namespaces_workspace on creator_namespaces (workspace_id, created_at desc, name desc);

create table creator_packages (
  id text primary key, workspace_id text not null references workspaces, namespace text not null references creator_namespaces,
  name text not null, skeleton text not null, version text not null, title text not null,
  status text not null check (status in ('uploaded', 'validating', 'in_review', 'accepted', 'published', 'rejected', 'withdrawn')),
  ever_accepted integer not null check (ever_accepted in (0, 1)), quarantined integer not null check (quarantined in (0, 1)),
  sha256 text not null, bytes integer not null, content blob not null, files text not null check (json_valid(files)),
  manifest text check (manifest is null or json_valid(manifest)),
  signature text not null check (signature in ('none', 'valid', 'invalid')),
  task_count integer not null, ruleset integer not null, job_id text,
  uploader_kind text not null check (uploader_kind in ('person', 'key')), uploader_id text not null, uploader_name text not null,
  benchmark_version_no integer references benchmark_versions, created_at text not null
) strict;
create index creator_packages_workspace on creator_packages (workspace_id, id);
create index creator_packages_name on creator_packages (namespace, name, version);

create table creator_reviews (
  id text primary key, package_id text not null references creator_packages on delete cascade,
  kind text not null check (kind in ('automated', 'human')), check_name text not null, outcome text not null,
  figures text not null check (json_valid(figures)), detail text not null, task_ids text not null check (json_valid(task_ids)),
  reviewer text, ruleset integer not null, at text not null
) strict;
create index creator_reviews_package on creator_reviews (package_id, id);
`
