/** Release suites and policies: immutable versions. */
export const releases = `
create table release_suites (
  id text primary key, workspace_id text not null references workspaces, suite_id text not null, version integer not null check (version >= 1),
  previous_version_id text unique references release_suites, name text not null, summary text not null check (json_valid(summary)),
  selections blob not null, digest text not null, created_at text not null, unique (suite_id, version)
) strict;
create index release_suites_workspace on release_suites (workspace_id, id);
create trigger release_suites_fixed before update on release_suites begin select raise(abort, 'release suites are immutable'); end;
create trigger release_suites_kept before delete on release_suites begin select raise(abort, 'release suites are immutable'); end;

create table release_policies (
  id text primary key, workspace_id text not null references workspaces, policy_id text not null, version integer not null check (version >= 1),
  previous_version_id text unique references release_policies, name text not null, policy text not null check (json_valid(policy)),
  digest text not null, created_at text not null, unique (policy_id, version)
) strict;
create index release_policies_workspace on release_policies (workspace_id, id);
create trigger release_policies_fixed before update on release_policies begin select raise(abort, 'release policies are immutable'); end;
create trigger release_policies_kept before delete on release_policies begin select raise(abort, 'release policies are immutable'); end;
`
